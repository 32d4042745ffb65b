import { describe, expect, it } from "vitest";
import { result, says, user } from "../../test/support/build.js";
import type { Message } from "../message/types.js";
import { createTokenCounter } from "../tokens/create-token-counter.js";
import { lineOf } from "./digest.js";
import { extractItems } from "./extract.js";
import { outcomesIn } from "./outcomes.js";
import { passagesOf } from "./passages.js";

const counter = createTokenCounter();

function itemsOf(...messages: Message[]) {
  const outcomes = outcomesIn(messages);
  return messages.flatMap((message, position) =>
    extractItems({ message, position, passages: passagesOf(message), counter, outcomes }),
  );
}

const calling = (toolName: string, input: unknown): Message => ({
  role: "assistant",
  content: [{ type: "tool-call", toolCallId: "a", toolName, input }],
});

const linesOf = (group: string, ...messages: Message[]): string[] =>
  itemsOf(...messages)
    .filter((item) => item.group === group)
    .map(lineOf);

describe("what the user said", () => {
  it("is a constraint where it forbids or demands, and outweighs everything else", () => {
    const [rule] = itemsOf(user("Never touch the migrations folder."));
    const others = itemsOf(user("Please look at the failing payment test."), says("The retry test passes."));
    expect(rule).toMatchObject({ group: "Constraints", text: "Never touch the migrations folder." });
    for (const other of others) expect(rule!.bonus).toBeGreaterThan(other.bonus);
  });

  it("is no constraint where it asks, and no rule where it only says don't", () => {
    const [question, doubt, rule] = itemsOf(
      user("Can we get a new one without Priya?"),
      user("I don't know why the build fails."),
      user("It works, but don't push it yet."),
    );
    expect(question!.group).toBe("User");
    expect(doubt!.bonus).toBeLessThan(rule!.bonus);
  });
});

describe("what the agent answered", () => {
  it("counts most where the answer begins, numbers and all, and its headings are left out", () => {
    const items = itemsOf(
      says("5680 passed, 0 failures. Here is what changed:\nThe loader picks one file by priority."),
    );
    expect(items[0]).toMatchObject({ text: "5680 passed, 0 failures.", group: "Decided" });
    expect(items.map(({ text }) => text)).not.toContain("Here is what changed:");
  });
});

describe("a call", () => {
  it("says why it failed", () => {
    const failed = {
      ...result("a", "boom"),
      content: [failure("a", "Error: ENOENT: no such file\n  at open")],
    } as Message;
    const [line] = linesOf("Calls", calling("read_file", { path: "src/gone.ts" }), failed);
    expect(line).toMatch(/src\/gone\.ts.*\(failed: Error: ENOENT: no such file\)/);
  });

  it("says what it gave, where that is one short line", () => {
    const lines = linesOf("Calls", calling("terminal", { command: "git rev-parse HEAD~3" }), result("a", "05b87f47"));
    expect(lines[0]).toContain("(gave 05b87f47)");
  });

  it("with a long text keeps its short arguments as lines of their own", () => {
    const input = { action: "create", name: "nightly-scan", prompt: "Look at the build. ".repeat(40) };
    const lines = linesOf("Calls", calling("cronjob", input));
    expect(lines).toContain('cronjob "name":"nightly-scan"');
  });
});

describe("a result", () => {
  it("in JSON is read without its escapes", () => {
    const output = JSON.stringify({
      output: `first line\nsecond line of src/pay/retry.ts\n${"third ".repeat(30)}`,
      exit_code: 0,
    });
    const lines = linesOf("Seen", calling("terminal", {}), result("a", output));
    expect(lines.join("\n")).toContain("second line of src/pay/retry.ts");
    expect(lines.join("\n")).not.toContain("\\n");
  });
});

const failure = (toolCallId: string, value: string) => ({
  type: "tool-result",
  toolCallId,
  toolName: "read_file",
  output: { type: "error-text", value },
});
