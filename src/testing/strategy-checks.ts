import { VarveError } from "../errors.js";
import { messageText } from "../message/content.js";
import type { Message, ToolDefinition } from "../message/types.js";
import type { View } from "../view/view.js";
import type { Check } from "./check.js";
import {
  append,
  counter,
  demand,
  drive,
  type MakeStrategy,
  type Run,
  startOn,
  tokensOf,
  viewOrRefusal,
} from "./drive.js";
import { generateHistory } from "./generate-history.js";
import { checkAnswers, checkFits, checkLastUser, checkLegal, checkOrder, checkReceipts } from "./view-checks.js";

export interface StrategyChecksOptions {
  /** How many histories are generated; 6 unless given. */
  readonly histories?: number;
  /** Messages of a history; about 40 unless given. */
  readonly length?: number;
}

const SMALL_WINDOWS = [90, 400, 1_500];
const LARGE_WINDOW = 1_000_000;
const TOOLS: ToolDefinition[] = [
  {
    name: "read",
    description: "Reads a file.",
    inputSchema: { type: "object", properties: { path: { type: "string" } } },
  },
];

/**
 * The behaviours that varve promises of every strategy, as checks for any test runner. The strategy is made anew for
 * each, with the window and the counter that it is to go by where it works alone.
 *
 * @example
 * ```ts
 * for (const { name, run } of strategyChecks((settings) => myStrategy(settings))) test(name, run);
 * ```
 */
export function strategyChecks(make: MakeStrategy, options: StrategyChecksOptions = {}): Check[] {
  const histories = Array.from({ length: options.histories ?? 6 }, (_, seed) =>
    generateHistory(seed, options.length ?? 40),
  );
  const runs = once(() => drives(make, histories, SMALL_WINDOWS));
  const roomy = once(() => drives(make, histories, [LARGE_WINDOW]));
  const all =
    (check: (run: Run) => void, driven = runs) =>
    async () =>
      (await driven()).forEach(check);
  const each = (check: (history: readonly Message[]) => Promise<void>) => async () => {
    for (const history of histories) await check(history);
  };
  return [
    { name: "a view fits its window and counts itself right", run: all(checkFits) },
    { name: "a view is refused only where there is no room for it", run: all(checkAnswers, roomy) },
    { name: "a view is legal for every provider", run: all(checkLegal) },
    { name: "a view shows the last message of the user", run: all(checkLastUser) },
    { name: "a view shows messages in the order of the log", run: all(checkOrder) },
    { name: "a reduction has a receipt that accounts for it", run: all(checkReceipts) },
    { name: "the same log gives the same views", run: async () => checkRepeats(make, histories, await runs()) },
    { name: "a history that is handed over stays as it is", run: each((history) => checkUntouched(make, history)) },
    { name: "a view that is taken back comes again, byte for byte", run: each((history) => checkUndo(make, history)) },
    {
      name: "a payload follows its history, and repeats itself without news",
      run: each((history) => checkAlone(make, history)),
    },
    { name: "tools and context count and are passed on", run: each((history) => checkRequest(make, history)) },
    { name: "tools beyond the window are refused, with a hint", run: each((history) => checkFloor(make, history)) },
    { name: "a refused request changes nothing", run: each((history) => checkRefused(make, history)) },
  ];
}

/** Checks that look at the same runs share them. */
function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => {
    made ??= make();
    return made;
  };
}

async function drives(make: MakeStrategy, histories: readonly Message[][], windows: readonly number[]): Promise<Run[]> {
  const runs: Run[] = [];
  for (const [seed, history] of histories.entries()) {
    for (const window of windows) runs.push(await drive(make, history, { window, name: `history ${seed}` }));
  }
  return runs;
}

const shownBy = ({ steps }: Run): string =>
  JSON.stringify(steps.map(({ view }) => (view instanceof VarveError ? view.code : view.messages)));

async function checkRepeats(make: MakeStrategy, histories: readonly Message[][], runs: readonly Run[]): Promise<void> {
  for (const [at, again] of (await drives(make, histories, SMALL_WINDOWS)).entries()) {
    const same = shownBy(again) === shownBy(runs[at]!);
    demand(same, `${again.name}, window ${again.window}: a second strategy shows other views`);
  }
}

async function checkUntouched(make: MakeStrategy, history: readonly Message[]): Promise<void> {
  const given = structuredClone(history);
  const strategy = make({ window: 1_500, counter });
  await strategy.composePayload("Be brief.", given, TOOLS).catch(refused);
  await strategy.onTurnComplete(given);
  demand(JSON.stringify(given) === JSON.stringify(history), "the strategy changed the history that it was given");
}

function refused(error: unknown): void {
  if (!VarveError.isInstance(error) || error.code !== "floor-exceeds-window") throw error;
}

/** Reducing and going back gives the view before. */
async function checkUndo(make: MakeStrategy, history: readonly Message[]): Promise<void> {
  const { viewer } = startOn(make, 20_000, history);
  const before = await viewer.view({});
  const { state } = viewer;
  await viewer.view({}, { force: true });
  viewer.state = state;
  const after = await viewer.view({});
  demand(
    JSON.stringify(after.messages) === JSON.stringify(before.messages),
    "the view after going back is another one",
  );
}

/** The interface for callers that keep their own history. */
async function checkAlone(make: MakeStrategy, history: readonly Message[]): Promise<void> {
  const strategy = make({ window: 1_500, counter });
  for (let length = 1; length <= history.length; length += 3) {
    const given = history.slice(0, length);
    const payload = await compose(given);
    if (payload === undefined) continue;
    demand(payload.entries === length, `the payload speaks of ${payload.entries} entries, the history has ${length}`);
    demand(tokensOf(payload) <= 1_500, `the payload has ${tokensOf(payload)} tokens`);
    await strategy.onTurnComplete(given);
    const again = await compose(given);
    demand(JSON.stringify(again?.messages) === JSON.stringify(payload.messages), "the second payload is another one");
    demand(again?.receipt === undefined, "the second payload has a receipt, though nothing was reduced");
  }

  async function compose(given: readonly Message[]): Promise<View | undefined> {
    return (await strategy.composePayload("", given, []).catch(refused)) ?? undefined;
  }
}

async function checkRequest(make: MakeStrategy, history: readonly Message[]): Promise<void> {
  const { viewer } = startOn(make, 20_000, history);
  const [system, context] = ["Speak like a (system) prompt.", "The (context) says 42."];
  const view = await viewer.view({ system, tools: TOOLS, context });
  const text = view.messages.map(messageText);
  demand(
    view.messages.some(({ role }, at) => role === "system" && text[at]!.includes(system)),
    "the system prompt is not shown",
  );
  demand(
    text.some((each) => each.includes(context)),
    "the context is not shown",
  );
  demand(JSON.stringify(view.tools) === JSON.stringify(TOOLS), "the tools are not passed on");
  demand(
    view.tokens === tokensOf(view),
    `the view says ${view.tokens} tokens and has ${tokensOf(view)}, tools included`,
  );
}

async function checkFloor(make: MakeStrategy, history: readonly Message[]): Promise<void> {
  const { log, viewer } = startOn(make, 200, history);
  append(log, { role: "user", content: "Go on." });
  const tools = [{ ...TOOLS[0]!, description: "Reads a file. ".repeat(200) }];
  const view = await viewOrRefusal(viewer, { tools });
  demand(view instanceof VarveError && view.hint !== undefined, "tools beyond the window were not refused with a hint");
}

/** Views after a request that does not fit, against those of a strategy that never got it. */
async function checkRefused(make: MakeStrategy, history: readonly Message[]): Promise<void> {
  const [plain, troubled] = [startOn(make, 4_000, history), startOn(make, 4_000, history)];
  const system = "Mind the rules of the house. ".repeat(1_000);
  await plain.viewer.view({});
  await troubled.viewer.view({});
  for (const force of [false, true]) {
    const refusal = await troubled.viewer.view({ system }, { force }).catch((error: unknown) => error);
    demand(VarveError.isInstance(refusal), "a system prompt beyond the window was not refused");
    const [expected, view] = [await plain.viewer.view({}), await troubled.viewer.view({})];
    const same = JSON.stringify(view.messages) === JSON.stringify(expected.messages);
    demand(same && view.leftOut === expected.leftOut, "the view after a refused request is another one");
  }
}
