import type { Block, Provider, Receipt, Repair } from "../../index.js";
import type { LogSize, Step } from "./replay.js";
import type { DemoSummary } from "./summary.js";

/** What `varve demo --json` prints. Fields may be added; those that are there stay as they are within a version. */
export interface DemoDocument {
  readonly varve: 1;
  readonly command: "demo";
  readonly steps: readonly DocumentStep[];
  readonly receipts: readonly (Receipt & { readonly step: number })[];
  readonly summary: DemoSummary;
}

interface DocumentStep {
  readonly step: number;
  readonly log: LogSize;
  readonly tokens: number;
  readonly blocks: readonly Block[];
  readonly leftOut: number;
  readonly unchanged: number;
  readonly repairs: readonly Repair[];
  readonly refusedBy: readonly Provider[];
  /** Id of the receipt of the reduction made in this step. */
  readonly receipt: string | null;
}

export function demoDocument(steps: readonly Step[], summary: DemoSummary): DemoDocument {
  const receipts = steps.flatMap(({ number, view: { receipt } }) => (receipt ? [{ step: number, ...receipt }] : []));
  return { varve: 1, command: "demo", steps: steps.map(documentStep), receipts, summary };
}

function documentStep({ number, log, view, unchanged, repairs, refusedBy }: Step): DocumentStep {
  const { tokens, blocks, leftOut, receipt } = view;
  return { step: number, log, tokens, blocks, leftOut, unchanged, repairs, refusedBy, receipt: receipt?.id ?? null };
}
