/** What the strategy "importance" holds to be important: by structure, in any language. */
import { describe, expect, test } from "vitest";
import { createTokenCounter, type Message, openVarve } from "../src/index.js";
import { messageText } from "../src/message/content.js";
import { calls, result, says, user, words } from "./support/build.js";
import { cpuTime } from "./support/cpu-time.js";

interface Talk {
  readonly user: string;
  readonly agent: string;
  readonly verdict: readonly [question: string, reply: string];
  readonly small: readonly (readonly [string, string])[];
}

const TALKS: Readonly<Record<string, Talk>> = {
  English: {
    user: "Decision: invoices are settled in the currency of the contract, and the ledger must never be rounded before the tax is added.",
    agent:
      "Decision: the retry queue keeps its order for each customer, and a settled invoice must never be sent again.",
    verdict: ["Shall the export for the tax office go out on the first working day of each month?", "Yes, that day."],
    small: [
      ["How was your weekend?", "It was lovely, thanks for asking. And yours?"],
      ["Good morning!", "Good morning! I hope you slept well."],
      ["It rained all day and we stayed at home with a good book.", "That sounds cosy, I am glad to hear it."],
      ["Thanks, that is great!", "You are welcome, happy to help!"],
      ["My sister is visiting with her two children and a very loud dog.", "What a lively house that must be."],
      ["Ha, you are funny today.", "I do my best."],
      ["Coffee first, then we go on.", "Take your time, there is no hurry."],
    ],
  },
  German: {
    user: "Entscheidung: Rechnungen werden in der Währung des Vertrags beglichen, und das Hauptbuch darf nie vor der Steuer gerundet werden.",
    agent:
      "Entscheidung: Die Warteschlange behält die Reihenfolge je Kunde, und eine beglichene Rechnung darf nie erneut verschickt werden.",
    verdict: ["Soll der Export für das Finanzamt am ersten Werktag jedes Monats hinausgehen?", "Ja, an dem Tag."],
    small: [
      ["Wie war dein Wochenende?", "Sehr schön, danke der Nachfrage. Und deines?"],
      ["Guten Morgen!", "Guten Morgen! Ich hoffe, du hast gut geschlafen."],
      [
        "Es hat den ganzen Tag geregnet, wir sind daheim geblieben und haben gelesen.",
        "Das klingt gemütlich, das freut mich.",
      ],
      ["Danke, das ist toll!", "Gern geschehen, immer wieder gern!"],
      ["Meine Schwester ist mit zwei Kindern und einem sehr lauten Hund zu Besuch.", "Da ist bei euch ja viel los."],
      ["Ha, du bist heute lustig.", "Ich gebe mir Mühe."],
      ["Erst Kaffee, dann machen wir weiter.", "Lass dir Zeit, es eilt nicht."],
    ],
  },
  Chinese: {
    user: "决定：发票一律按合同币种结算，总账在加税之前绝对不能四舍五入。",
    agent: "决定：重试队列按客户保持顺序，已经结算的发票绝对不能再次发送。",
    verdict: ["给税务局的导出要在每月第一个工作日发出吗？", "对，就那天。"],
    small: [
      ["周末过得怎么样？", "挺好的，谢谢关心。你呢？"],
      ["早上好！", "早上好！希望你睡得不错。"],
      ["下了一整天的雨，我们在家看书。", "听起来很舒服，真好。"],
      ["谢谢，太棒了！", "不客气，很高兴能帮上忙！"],
      ["我姐姐带着两个孩子和一只很吵的狗来做客。", "家里一定很热闹。"],
      ["哈哈，你今天真幽默。", "我尽力而为。"],
      ["先喝咖啡，然后再继续。", "慢慢来，不着急。"],
    ],
  },
};

const ROUNDS = 30;
const WINDOW = 1_200;

/** Small talk without end, with the decisions in its first third. */
function conversation({ user: told, agent, verdict, small }: Talk): Message[] {
  const messages: Message[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    if (round === 3) messages.push(user(told), says(small[3]![1]));
    if (round === 5) messages.push(user(small[4]![0]), says(agent));
    if (round === 7) messages.push(user(small[0]![0]), says(verdict[0]), user(verdict[1]), says(small[6]![1]));
    const [asked, answered] = small[(round * 3) % small.length]!;
    messages.push(user(asked), says(answered));
  }
  return messages;
}

describe.each(Object.entries(TALKS))("in %s", (_, talk) => {
  test("decisions of the user and of the agent stand above small talk, and stay in view in full", async () => {
    const counter = createTokenCounter();
    const session = await (await openVarve()).session("s", {
      window: WINDOW,
      reserve: 100,
      counter,
      strategy: "importance",
    });
    for (const message of conversation(talk)) {
      await session.append(message);
      if (message.role === "user") await session.view();
    }
    const shown = (await session.view()).messages.map(messageText);
    expect(shown).toContain(talk.user);
    expect(shown).toContain(talk.agent);
    const scores = new Map((session.scores() ?? []).map(({ entry, score }) => [entry, score]));
    const decided = new Set([talk.user, talk.agent]);
    const scored = session
      .entries()
      .map(({ id, message }) => ({ text: messageText(message), score: scores.get(id) ?? 0 }));
    const least = Math.min(...scored.flatMap(({ text, score }) => (decided.has(text) ? [score] : [])));
    const small = scored.filter(({ text }) => !decided.has(text) && !talk.verdict.includes(text));
    expect(least).toBeGreaterThan(0.65);
    expect(least).toBeGreaterThan(Math.max(...small.map(({ score }) => score)));
    const reply = scored.find(({ text }) => text === talk.verdict[1])!;
    expect(reply.score).toBeGreaterThan(small.reduce((sum, { score }) => sum + score, 0) / small.length);
  });
});

/** Milliseconds of work for a number of steps at the end of a log, with their views and the cuts among them. */
async function timeAt(length: number): Promise<number> {
  const step = (at: number): Message[] => [
    calls(`c${at}`),
    result(`c${at}`, `src/part-${at}.ts: port ${4_000 + at} ${words(120, `line${at}`)}`),
    says(`Part ${at} listens on port ${4_000 + at}, as src/part-${at}.ts says.`),
    user(`What of part ${at + 1}?`),
  ];
  const session = await (await openVarve()).session("s", { window: 6_000, strategy: "importance" });
  const steps = Array.from({ length: length / 4 }, (_, at) => step(at));
  for (const some of [steps.slice(0, 2), steps.slice(2)]) {
    await session.append(some.flat());
    await session.view();
  }
  const before = session.receipts().length;
  const time = await cpuTime(async () => {
    for (let at = length; at < length + 60; at++) {
      await session.append(step(at));
      await session.view();
    }
  });
  expect(session.receipts().length).toBeGreaterThan(before + 3);
  return time;
}

test("a view takes as long in a log of 20,000 messages as in one of 2,000", { timeout: 60_000 }, async () => {
  await timeAt(2_000);
  const few = await timeAt(2_000);
  const many = await timeAt(20_000);
  expect(many).toBeLessThan(1.5 * few + 60);
});
