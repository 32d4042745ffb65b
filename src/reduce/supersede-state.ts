import { outputText } from "../message/content.js";
import { isObject } from "../message/plain-value.js";
import type { ToolOutput } from "../message/types.js";
import { containedShare, holds, isCutShort, stateShare } from "./supersede-lines.js";
import { failureIn } from "./supersede-result.js";

/** Whether a later answer to the same call is a newer state of what the earlier one shows. */

/** How far a call shows a state: a check tells how things stand, a lookup a part of some data. */
export type CallKind = "check" | "lookup" | "other";

/** A newer state has this share of the earlier one. */
const SAME_STATE = 0.5;
/** After a failure the shorter of two answers need have only this share in the longer: what failed is gone from it. */
const SAME_RUN = 0.3;
const IDENTITY = /^(?:_?id|.*_id|.*[a-z]Id|uuid|key|slug|email|number)$/;
const PAGED = /cursor|page|offset|next|has_?more/i;

export function isNewerRun(earlier: ToolOutput, later: ToolOutput, kind: CallKind): boolean {
  const [before, after] = [outputText(earlier), outputText(later)];
  if (holds(after, before)) return true;
  if (isCutShort(after, before)) return false;
  if (isSameThing(before, after)) return containedShare(before, after) >= SAME_STATE;
  if (kind === "check" && stateShare(before, after) >= SAME_STATE) return true;
  return kind !== "lookup" && failureIn(earlier) !== undefined && isAfterFailure(before, after, kind);
}

function isAfterFailure(before: string, after: string, kind: CallKind): boolean {
  if (kind === "check" && after.trim() === "") return true;
  const [short, long] = before.length < after.length ? [before, after] : [after, before];
  return (kind === "check" ? stateShare(short, long) : containedShare(short, long)) >= SAME_RUN;
}

/** Two JSON objects with the same fields that say that they are of the same thing, and not a page of many. */
function isSameThing(before: string, after: string): boolean {
  const [earlier, later] = [objectIn(before), objectIn(after)];
  if (earlier === undefined || later === undefined) return false;
  const keys = Object.keys(earlier);
  if (keys.length !== Object.keys(later).length || keys.some((key) => !(key in later) || PAGED.test(key))) return false;
  const identities = keys.filter((key) => IDENTITY.test(key));
  return identities.length > 0 && identities.every((key) => earlier[key] === later[key]);
}

function objectIn(text: string): Record<string, unknown> | undefined {
  if (!text.trimStart().startsWith("{")) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
