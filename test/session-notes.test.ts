/** A session as Markdown for people: what it tells, in what room, and what it leaves alone. */
import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { createTokenCounter, type Message, openVarve } from "../src/index.js";
import { calls, result, says, user, words } from "./support/build.js";

const call = (id: string, toolName: string, input: object): Message => ({
  role: "assistant",
  content: [{ type: "tool-call", toolCallId: id, toolName, input: input as never }],
});
const failed = (toolCallId: string, value: string): Message => ({
  role: "tool",
  content: [{ type: "tool-result", toolCallId, toolName: "bash", output: { type: "error-text", value } }],
});

const WORK: readonly Message[] = [
  user("Settle must never charge twice.\n\nFind out why it does."),
  call("c1", "edit_file", { path: "src/settle.ts", old_string: "a", new_string: "export const retries = 1;" }),
  result("c1", "ok"),
  says(
    "The key was made anew for each retry.\n\n| step | key |\n|---|---|\n| first | k1 |\n\n```ts\nconst key = id;\n```\n\nShall I deploy?",
  ),
  user("Yes, to staging."),
  call("c2", "bash", { command: "npm run deploy" }),
  failed("c2", "Error: no token for <b>staging</b> ![x](https://evil.example/a.png)"),
  call("c3", "update_plan", {
    plan: [
      { step: "Deploy", status: "pending" },
      { step: "Mend", status: "completed" },
    ],
  }),
  result("c3", "ok"),
];

async function opened(messages: readonly Message[], window = 8_000) {
  const varve = await openVarve();
  const session = await varve.session("ann:coder:1", { window, strategy: "hierarchical" });
  await session.append(messages);
  return session;
}

test("tells stretches under their ids, the user's words as quotes, and what is open at the end", async () => {
  const { text } = (await opened(WORK)).notes();
  expect(text).toMatchInlineSnapshot(`
    "# Notes on ann:coder:1

    e0 to e8. What is not told here the ids open: \`varve context expand ID\`.

    ## e0-e3

    > Settle must never charge twice.
    >
    > Find out why it does.

    Agent:

    - The key was made anew for each retry.

    | | |
    |---|---|
    | step | key |
    | first | k1 |

    \`\`\`
    const key = id;
    \`\`\`

    - Shall I deploy?

    Done:

    - edited src/settle.ts (e1): export const retries = 1;

    ## e4-e8

    > Yes, to staging.

    Done:

    - ran \`npm run deploy\`: Error: no token for \\<b>staging\\</b> \\![x](https://evil.example/a.png)

    ## Open

    - The user waits for an answer: Yes, to staging.
    - [ ] Deploy
    - [x] Mend
    - ran \`npm run deploy\`: Error: no token for \\<b>staging\\</b> \\![x](https://evil.example/a.png)"
  `);
});

test("text of tools stays text: no tag, no image and no heading of theirs counts", async () => {
  const session = await opened([
    user("> ok\n# Not a heading"),
    call("c1", "bash", { command: "cat page.html" }),
    result("c1", "# Notes on-all\n<script src='https://evil.example/x1.js'>\n![i](https://evil.example/y2.png)"),
    says("# Done\n\n<img src=https://evil.example/z3.png> `Map<string>` is_used in page.html"),
  ]);
  const { text } = session.notes();
  const marked = text.replace(/(`+)[^`\n]+\1/g, "");
  expect(marked).not.toMatch(/(?<!\\)<[a-z/]|(?<!\\)!\[/i);
  expect(text.match(/^#.*$/gm)).toEqual(["# Notes on ann:coder:1", "## e0-e3"]);
  expect(text).toContain("`Map<string>`");
});

test("fits every room, says more in a larger one, and is the same whatever was cut", async () => {
  const messages = Array.from({ length: 60 }, (_, at) => [
    user(`request ${at}: where is port ${4_000 + at}? ${words(8, `ask-${at}`)}`),
    calls(`c${at}`),
    result(`c${at}`, `port ${4_000 + at} is in src/part-${at}.ts`),
    says(`It is in src/part-${at}.ts. ${words(12, `said-${at}`)}`),
  ]).flat();
  const session = await opened(messages, 4_000);
  const sizes = [100, 300, 1_000, 3_000, 10_000].map((maxTokens) => {
    const { text, tokens } = session.notes({ maxTokens });
    expect(tokens).toBeLessThanOrEqual(maxTokens);
    expect(tokens).toBe(createTokenCounter().text(text));
    return tokens;
  });
  expect(sizes).toEqual(sizes.toSorted((a, b) => a - b));
  expect(sizes[2]).toBeGreaterThan(700);
  const before = session.notes();
  await session.compact();
  expect(session.notes()).toEqual(before);
  expect(session.receipts()).toHaveLength(1);
});

test("an empty session says so, and a room that is none is refused", async () => {
  const session = await opened([]);
  expect(session.notes().text).toBe("# Notes on ann:coder:1\n\nNothing was said yet.");
  expect(() => session.notes({ maxTokens: 3 })).toThrow(/maxTokens/);
  expect(() => session.notes({ tokens: 3 } as never)).toThrow(/tokens/);
});

test("reads sessions that 0.1.0 has stored, without writing", async () => {
  const folder = mkdtempSync(join(tmpdir(), "varve-notes-"));
  cpSync(fileURLToPath(new URL("stored/0.1.0", import.meta.url)), folder, { recursive: true });
  const varve = await openVarve({ store: `file:${folder}` });
  const { text } = (await varve.session("ann:coder:1")).notes();
  expect(text).toContain("> Never touch the migrations. Fix src/retry.ts.");
  await varve.close();
  rmSync(folder, { recursive: true, force: true });
});
