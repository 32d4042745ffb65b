import { VarveError } from "../../errors.js";
import { claudeCode } from "./claude-code.js";
import { codex } from "./codex.js";
import { isObject } from "./fields.js";
import { geminiCLI } from "./gemini-cli.js";
import { langfuse } from "./langfuse.js";
import { langSmith } from "./langsmith.js";
import { DIALECTS } from "./message-dialect.js";
import { listDialect, MessageListReader } from "./message-lists.js";
import { opencode } from "./opencode.js";
import { pi } from "./pi.js";
import type { FormatDefinition } from "./reader.js";

const varveExport: FormatDefinition = {
  format: "varve-export",
  sign: "line of type varve-export",
  recognises: (value) => isObject(value) && value.type === "varve-export",
  reader: () => ({
    take: () => {},
    end: () => {
      throw new VarveError({
        code: "invalid-document",
        message: "This is an export of varve itself, with its sessions, digests and checkpoints, and no recording.",
        hint: "Take it in whole with `varve session import FILE`, or with `varve.import` in a program.",
        details: { format: "varve-export" },
      });
    },
  }),
};

/** Formats whose values are theirs beyond doubt, so that one of them decides. */
const OWN: readonly FormatDefinition[] = [varveExport, claudeCode, codex, pi, opencode, geminiCLI, langSmith, langfuse];

const LISTS: readonly FormatDefinition[] = DIALECTS.map((dialect) => ({
  format: dialect,
  sign: "list of messages with roles",
  recognises: (value) => listDialect([value]) === dialect,
  reader: (notes) => new MessageListReader(dialect, notes),
}));

/** All formats of JSON values. */
export const VALUE_FORMATS: readonly FormatDefinition[] = [...OWN, ...LISTS];

/** The format that one value is enough to tell. */
export const ownFormat = (value: unknown): FormatDefinition | undefined =>
  OWN.find((definition) => definition.recognises(value));

/** The format of values that are plain messages, which only all of them together tell. */
export function listFormat(values: readonly unknown[]): FormatDefinition | undefined {
  const dialect = listDialect(values);
  return LISTS.find((definition) => definition.format === dialect);
}
