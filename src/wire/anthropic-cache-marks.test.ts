import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { calls, result, says, system, user } from "../../test/support/build.js";
import { sameMessage } from "../message/same-message.js";
import type { Message } from "../message/types.js";
import { fromAnthropic, type ShownMessages, toAnthropic } from "./anthropic.js";
import { cacheMarks, loosePrompt, markedPrompt, unmarked } from "./anthropic.test-helpers.js";
import type { AnthropicPrompt } from "./anthropic-types.js";
import { anthropicFaults } from "./legality/anthropic.js";
import { fromOpenAI } from "./openai-chat.js";

const cache_control = { type: "ephemeral" } as const;

/** What each marked block says, or which call it answers. */
function marked({ system = [], messages }: AnthropicPrompt): unknown[] {
  const blocks = [system, ...messages.map(({ content }) => content)].flatMap((content) =>
    typeof content === "string" ? [] : content,
  );
  return blocks
    .filter((block) => "cache_control" in block)
    .map((block) => ("text" in block ? block.text : "tool_use_id" in block ? block.tool_use_id : block.type));
}

/** With a text that stands alone as a list, for only blocks can be marked. */
const plain = ({ system, messages }: AnthropicPrompt) => {
  const listed = (content: unknown) => (typeof content === "string" ? [{ type: "text", text: content }] : content);
  return { system: listed(system), messages: messages.map((each) => ({ ...each, content: listed(each.content) })) };
};

/** A view, as far as marks go by it. */
const view = (messages: Message[], notes?: Message): ShownMessages => ({
  messages,
  plan: { items: notes === undefined ? [] : [{ kind: "notes", message: notes }] },
});

describe("marks that come in", () => {
  const turns = ["u1", "a1", "u2", "a2", "u3"];
  /** The conversation as clients send it: whole each time, with the marked text as a block and the others as text. */
  const request = (length: number) => ({
    system: length % 2 === 0 ? "rules" : [{ type: "text", text: "rules", cache_control }],
    messages: turns.slice(0, length).map((text, at) => ({
      role: at % 2 === 0 ? "user" : "assistant",
      content: at === length - 1 ? [{ type: "text", text, cache_control }] : text,
    })),
  });

  test("make no other message of one, so that a moved mark moves nothing", () => {
    const whole = fromAnthropic(request(5));
    for (const length of [1, 2, 3, 4])
      for (const [at, message] of fromAnthropic(request(length)).entries())
        expect(sameMessage(message, whole[at]!)).toBe(true);
    expect(sameMessage(whole[1]!, whole[3]!)).toBe(false);
    expect(JSON.stringify(whole)).not.toContain("cache");
  });

  test("are left out wherever they stand: on calls, results, pages, documents, thinking, blocks that nobody knows", () => {
    const blocks = (mark: object) => [
      {
        role: "user",
        content: [
          { type: "document", source: { type: "content", content: [{ type: "text", text: "p", ...mark }] }, ...mark },
        ],
      },
      { role: "user", content: "go" },
      { role: "system", content: [{ type: "text", text: "late", ...mark }] },
      {
        role: "assistant",
        content: [
          { type: "server_tool_use", id: "s", name: "f", input: { cache_control: 1 }, ...mark },
          { type: "tool_use", id: "a", name: "f", input: { cache_control: 1 }, ...mark },
        ],
      },
      {
        role: "user",
        content: [
          { type: "tool_result", tool_use_id: "a", content: [{ type: "text", text: "x", ...mark }], ...mark },
          { type: "text", text: "y", ...mark },
        ],
      },
    ];
    const decoded = fromAnthropic(blocks({ cache_control }));
    expect(decoded).toEqual(fromAnthropic(blocks({})));
    expect(JSON.stringify(decoded).split("cache_control").length - 1).toBe(2);
  });

  test("are left out of other formats too", () => {
    const message = (mark: object) => ({ role: "user", content: [{ type: "text", text: "u", ...mark }], ...mark });
    expect(fromOpenAI([message({ cache_control })])).toEqual(fromOpenAI([message({})]));
  });

  test("never go out again, from whatever prompt, and nothing else is lost with them", () => {
    fc.assert(
      fc.property(fc.oneof(markedPrompt, loosePrompt), (prompt) => {
        const messages = fromAnthropic(prompt);
        expect(cacheMarks(messages)).toBe(0);
        expect(cacheMarks(toAnthropic(messages))).toBe(0);
        expect(messages).toEqual(fromAnthropic(unmarked(prompt)));
      }),
    );
  });

  test("are not sent where the caller's messages have them under the AI SDK's name", () => {
    const providerOptions = { anthropic: { cacheControl: cache_control } };
    expect(toAnthropic([{ role: "user", content: "u", providerOptions }])).toEqual({ messages: [user("u")] });
  });
});

describe("marks that are set", () => {
  const notes = user("notes on what was");
  const turn = [user("do it"), calls("a"), result("a"), calls("b"), result("b")];

  test("stand behind the system prompt, the notes, the request before and this one", () => {
    const messages = [system("rules"), notes, ...turn];
    expect(marked(toAnthropic(view(messages, notes), { cache: true }))).toEqual(["rules", notes.content, "a", "b"]);
    expect(marked(toAnthropic(messages, { cache: true }))).toEqual(["rules", "a", "b"]);
  });

  test("are none unless asked for, and of the time that was asked for", () => {
    expect(cacheMarks(toAnthropic(view(turn)))).toBe(0);
    const long = toAnthropic(turn, { cache: true, ttl: "1h" });
    expect(JSON.stringify(long)).toContain('"cache_control":{"type":"ephemeral","ttl":"1h"}');
  });

  test("stand where the next request finds them, however many blocks a step has", () => {
    const batch = Array.from({ length: 30 }, (_, at) => `c${at}`);
    const first = toAnthropic([user("do it"), calls("a"), result("a")], { cache: true });
    const step = [calls(...batch), ...batch.map((id) => result(id))];
    const second = toAnthropic([user("do it"), calls("a"), result("a"), ...step], { cache: true });
    expect(marked(second)).toEqual(["a", "c29"]);
    expect(marked(first).at(-1)).toBe("a");
  });

  test("spare thinking, and system messages in the middle", () => {
    const thought = { type: "thinking", thinking: "t", signature: "s" };
    const [answer] = fromAnthropic([
      { role: "assistant", content: [{ type: "text", text: "so" }, thought, { type: "text", text: "it is" }] },
    ]);
    const late = fromAnthropic([user("u"), { role: "system", content: "late" }]);
    expect(marked(toAnthropic([user("u"), answer!], { cache: true }))).toEqual(["u", "it is"]);
    expect(marked(toAnthropic([user("u0"), says("a0"), ...late], { cache: true }))).toEqual(["u0", "u"]);
  });

  test("mark the rules and the notes apart where these stand in the system prompt", () => {
    const past = system("notes on what was");
    expect(marked(toAnthropic(view([system("rules"), past, user("u")], past), { cache: true }))).toEqual([
      "rules",
      past.content,
      "u",
    ]);
  });

  test("leave room for those that the tools of the view have", () => {
    const messages = [system("rules"), user("notes"), says("a"), user("b"), says("c"), user("d")];
    const marksWith = (count: number) => {
      const tools = Array.from({ length: count }, (_, at) => ({
        name: `t${at}`,
        cache_control: { type: "ephemeral" },
      }));
      return marked(toAnthropic({ ...view(messages, messages[1]), tools }, { cache: true }));
    };
    expect(marksWith(0)).toEqual(["rules", "notes", "b", "d"]);
    expect(marksWith(1)).toEqual(["notes", "b", "d"]);
    expect(marksWith(4)).toEqual([]);
  });

  test("are four at most, and break no rule, whatever the prompt", () => {
    const rules = ({ system, messages }: AnthropicPrompt) =>
      anthropicFaults({ ...(system && { system }), messages }).map(({ rule }) => rule);
    fc.assert(
      fc.property(fc.oneof(markedPrompt, loosePrompt), fc.nat(), (prompt, place) => {
        const messages = fromAnthropic(prompt);
        const shown = view(messages, messages.length === 0 ? undefined : messages[place % messages.length]);
        const encoded = toAnthropic(shown, { cache: true });
        expect(cacheMarks(encoded)).toBeLessThanOrEqual(4);
        if (encoded.messages.length > 0) expect(cacheMarks(encoded)).toBeGreaterThan(0);
        expect(rules(encoded)).toEqual(rules(toAnthropic(messages)));
        expect(plain(unmarked(encoded))).toEqual(plain(toAnthropic(messages)));
      }),
    );
  });

  test.each([
    ["cache", { cache: "yes" }],
    ["ttl", { cache: true, ttl: "2h" }],
    ["cached", { cached: true }],
  ])("refuse an option that is wrong: %s", (option, options) => {
    expect(() => toAnthropic([user("u")], options as never)).toThrow(
      expect.objectContaining({ code: "invalid-option", details: expect.objectContaining({ option }) }),
    );
  });
});
