import type { Receipt, ReceiptItem, Repair, RepairKind } from "../../index.js";
import type { Ink, Tone } from "../terminal/colour.js";
import { countOf, formatCount, padEnd, wrap } from "../terminal/format.js";
import type { Step } from "./replay.js";

/** What becomes of a result that is shown, but not whole. */
const SHORTER = ["shortened", "cleared", "superseded"] as const satisfies readonly ReceiptItem["fate"][];
type Shorter = (typeof SHORTER)[number];

/** Something varve did to make a view fit or legal, in words. */
export interface DemoEvent {
  readonly what: "cut" | Shorter | "repair";
  readonly headline: string;
  /** Why, what stands in, how to get it back; empty where the headline says all. */
  readonly details: string;
}

const REPAIRS: Readonly<Record<RepairKind, string>> = {
  "unanswered-call": "a call without a result is closed with a stated one",
  "denied-call": "a call that was denied is closed with the denial",
  "orphan-result": "a result that no call asked for is left out",
  "surplus-result": "a second result for one call is left out",
  "late-result": "a result that came late is moved up to its call",
  "inline-result": "a result inside the message of its call is moved behind it",
  "renamed-call": "a call without an id of its own gets one",
  "trailing-reasoning": "reasoning that led to nothing is left out",
  "blank-message": "a message with nothing in it is left out",
  "missing-opener": "a placeholder is put in front",
};

/** What happened in a step, in the order in which it is told. */
export function eventsOf(step: Step): DemoEvent[] {
  const { receipt } = step.view;
  return [
    ...step.repairs.map(repairEvent),
    ...(receipt?.items ?? []).flatMap((item) => shorterEvent(item, step)),
    ...(receipt?.leftOut === undefined ? [] : [cutEvent(receipt, step)]),
  ];
}

function repairEvent({ kind, at, call }: Repair): DemoEvent {
  return { what: "repair", headline: `e${at}${call ? ` (${call})` : ""}: ${REPAIRS[kind]}`, details: "" };
}

function shorterEvent(item: ReceiptItem, step: Step): DemoEvent[] {
  const what = SHORTER.find((fate) => fate === item.fate);
  if (what === undefined) return [];
  const tool = step.toolNames.get(item.from);
  const change = `${formatCount(item.tokensBefore)} → ${formatCount(item.tokensAfter)} tokens`;
  return [{ what, headline: `${item.from}${tool ? ` (${tool})` : ""}: ${change}`, details: "" }];
}

function cutEvent(receipt: Receipt, step: Step): DemoEvent {
  const { leftOut, tokensBefore, tokensAfter, estimated } = receipt;
  const range = leftOut?.from === leftOut?.to ? leftOut?.from : `${leftOut?.from}–${leftOut?.to}`;
  const change = `${estimated ? "about " : ""}${formatCount(tokensBefore)} → ${formatCount(tokensAfter)} tokens`;
  const note = step.view.blocks.find((block) => block.name === "memory")?.tokens ?? 0;
  const standIn = note > 0 ? `A note of ${countOf(note, "token")} stands in for them. ` : "";
  return {
    what: "cut",
    headline: `${range} left out: ${change}`,
    details: `${sentence(receipt.reason)} ${standIn}${receipt.recover}`,
  };
}

const sentence = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;

const LABEL = 11;
const TONE: Readonly<Record<DemoEvent["what"], Tone>> = {
  cut: "orange",
  shortened: "brown",
  cleared: "brown",
  superseded: "brown",
  repair: "rose",
};

/** An event as lines of at most `width` columns: the headline, and below it the details where asked for. */
export function eventLines(event: DemoEvent, options: { width: number; ink: Ink; details: boolean }): string[] {
  const { width, ink } = options;
  const room = width - LABEL - 1;
  const [first = "", ...rest] = wrap(event.headline, room);
  const details = options.details ? wrap(event.details, room).map((line) => ink.tone("muted", line)) : [];
  const indent = " ".repeat(LABEL + 1);
  return [
    ` ${ink.tone(TONE[event.what], padEnd(event.what, LABEL))}${first}`,
    ...[...rest, ...details].map((line) => `${indent}${line}`),
  ];
}
