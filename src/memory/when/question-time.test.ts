import { describe, expect, test } from "vitest";
import { questionTime } from "./question-time.js";

const NOW = Date.parse("2026-11-15T10:00:00Z"); // a Sunday
const matches = (question: string, day: string): boolean | undefined =>
  questionTime(question, NOW).named?.matches(Date.parse(`${day}T12:00:00Z`));

describe("a question that names a time", () => {
  test.each([
    ["What did we do last May?", "2026-05-20", "2025-05-20"],
    ["What did we do last December?", "2025-12-03", "2026-12-03"],
    ["What happened in June 2024?", "2024-06-30", "2024-07-01"],
    ["What happened in March?", "2019-03-09", "2019-04-01"],
    ["Who came on 8 May 2023?", "2023-05-08", "2023-05-09"],
    ["Who came on May 8th, 2023?", "2023-05-08", "2022-05-08"],
    ["Who came on the 8th of May?", "2021-05-08", "2021-05-09"],
    ["Who came on 2023-05-08?", "2023-05-08", "2023-05-07"],
    ["Where did Ann work in 2021?", "2021-01-01", "2022-01-01"],
    ["What did I eat yesterday?", "2026-11-14", "2026-11-15"],
    ["What did I eat the day before yesterday?", "2026-11-13", "2026-11-14"],
    ["What is planned today?", "2026-11-15", "2026-11-14"],
    ["What broke three days ago?", "2026-11-12", "2026-11-13"],
    ["What broke 2 weeks ago?", "2026-11-01", "2026-11-14"],
    ["What broke a year ago?", "2025-11-20", "2026-10-01"],
    ["What changed in the last two weeks?", "2026-11-05", "2026-10-20"],
    ["What changed last week?", "2026-11-03", "2026-11-10"],
    ["What changed this week?", "2026-11-10", "2026-11-03"],
    ["What changed last month?", "2026-10-31", "2026-11-01"],
    ["What changed last year?", "2025-06-01", "2026-06-01"],
    ["What did we do last weekend?", "2026-11-07", "2026-11-03"],
    ["Who called last Friday?", "2026-11-13", "2026-11-06"],
    ["Who called on Sunday?", "2026-11-08", "2026-11-15"],
    ["Where did we go last summer?", "2026-07-10", "2025-07-10"],
    ["Where did we go in winter 2024?", "2025-01-10", "2026-01-10"],
    ["What did we drive before 2020?", "2018-06-01", "2020-06-01"],
    ["What did we drive after 2020?", "2021-06-01", "2020-06-01"],
    ["What have we driven since 2020?", "2020-06-01", "2019-12-31"],
    ["What did we use until March?", "2026-02-20", "2026-03-02"],
    ["What has changed since May 8?", "2026-10-01", "2026-05-01"],
    ["What has changed since December?", "2025-12-02", "2025-11-30"],
    ["What is planned on Friday?", "2026-11-20", "2026-11-13"],
    ["What is planned for this Sunday?", "2026-11-15", "2026-11-08"],
    ["Who comes next Sunday?", "2026-11-22", "2026-11-15"],
  ])("%s", (question, inside, outside) => {
    expect(matches(question, inside)).toBe(true);
    expect(matches(question, outside)).toBe(false);
  });

  test.each([
    "What is my dog's name?",
    "May I use pnpm?",
    "Which fall guard do we use?",
    "Is the march to production on?",
  ])("%s names none", (question) => {
    expect(questionTime(question, NOW).named).toBeUndefined();
  });
});

describe("a question about the past", () => {
  test.each([
    "Where did I live before?",
    "What was the old port?",
    "Where did Ann work in 2021?",
    "Which editor did I use to use?",
    "What did we drive before 2020?",
    "Which port did we have before the move?",
    "What was Ann's old number?",
    "Who was my employer in 2024, next to the freelancing?",
    "What employer did I have in 2024 and was I going to leave it?",
    "Which employer did I have before the next one?",
  ])("%s", (question) => {
    expect(questionTime(question, NOW).past).toBe("yes");
  });

  test.each([
    "Where do I live?",
    "What is the port?",
    "Which editor do I use?",
    "What is planned today?",
    "How old is my daughter?",
    "Is she five years old?",
    "How old am I and where do I live?",
    "Where do I work? Answer before the meeting.",
    "Which company do I work at this Friday?",
    "Where will I work in December?",
    "What is due on Monday?",
    "What should I do before May?",
    "What do I have to do until December 24?",
  ])("%s is about now", (question) => {
    expect(questionTime(question, NOW).past).toBe("no");
  });
});

test("the past tense alone may mean the present", () => {
  expect(questionTime("What was my home city again?", NOW).past).toBe("maybe");
  expect(questionTime("Where did I say I live?", NOW).past).toBe("maybe");
});

test("a question may be about the time before or after an event", () => {
  expect(questionTime("Where did we eat before the move to Lyon?", NOW).relation).toEqual({
    side: "before",
    event: "the move to Lyon",
  });
  expect(questionTime("What have I read after my exam?", NOW).relation).toEqual({ side: "after", event: "my exam" });
  expect(questionTime("After the move to Lyon where did we eat?", NOW).relation).toEqual({
    side: "after",
    event: "the move to Lyon",
  });
  expect(questionTime("How many days after my exam did I start to work?", NOW).relation).toBeUndefined();
  expect(questionTime("What came before 2020?", NOW).relation).toBeUndefined();
});
