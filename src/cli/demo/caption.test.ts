import { expect, test } from "vitest";
import { captionOf } from "./caption.js";

const call = (toolName: string, input: unknown) => ({
  type: "tool-call" as const,
  toolCallId: toolName,
  toolName,
  input,
});

test("a caption is what the agent says, where it only speaks", () => {
  expect(captionOf({ role: "assistant", content: "Done." })).toBe("says: Done.");
  expect(captionOf({ role: "assistant", content: [{ type: "text", text: "Done." }] })).toBe("says: Done.");
});

test("a caption is the first call and what it is about, and how many go beside it", () => {
  const read = call("read_file", { path: "src/a.ts", from: 3 });
  expect(captionOf({ role: "assistant", content: [{ type: "text", text: "Look." }, read] })).toBe(
    "read_file: src/a.ts",
  );
  expect(captionOf({ role: "assistant", content: [read, call("search", {})] })).toBe(
    "read_file (+1 in parallel): src/a.ts",
  );
});

test("a caption bears arguments that are no object", () => {
  expect(captionOf({ role: "assistant", content: [call("search", "{broken")] })).toBe("search: ");
});
