import { PROVIDER_NAMES, type ProviderName } from "./check-view.js";
import { type Finding, play } from "./play.js";
import { type Scenario, STRATEGIES, type StrategyName, scenarioOf } from "./scenario.js";

export interface FuzzOptions {
  readonly views: number;
  readonly seed: number;
  readonly providers?: readonly ProviderName[];
  readonly strategies?: readonly StrategyName[];
  /** Plays the one of this number alone. */
  readonly scenario?: number | undefined;
}

/** A kind of finding: how many views show it, and the shortest scenario that did. */
export interface Kind {
  readonly name: string;
  views: number;
  number: number;
  scenario: Scenario;
  finding: Finding;
}

export interface FuzzReport {
  readonly views: number;
  readonly kinds: readonly Kind[];
  readonly refusals: Readonly<Record<string, number>>;
}

export const nameOf = ({ provider, rule }: Finding): string => (provider === undefined ? rule : `${provider}: ${rule}`);

/** Plays scenarios until so many views have been checked. */
export async function fuzz(options: FuzzOptions): Promise<FuzzReport> {
  const { views: wanted, seed, providers = PROVIDER_NAMES, strategies = STRATEGIES } = options;
  const kinds = new Map<string, Kind>();
  const refusals: Record<string, number> = {};
  let views = 0;
  for (let number = options.scenario ?? 0; views < wanted; number++) {
    if (options.scenario !== undefined && number > options.scenario) break;
    const strategy = STRATEGIES[number % STRATEGIES.length]!;
    if (!strategies.includes(strategy)) continue;
    const scenario = scenarioOf(seed, number, strategy);
    const played = await play(scenario, providers);
    views += played.views;
    for (const [code, times] of Object.entries(played.refusals)) refusals[code] = (refusals[code] ?? 0) + times;
    note(kinds, played.findings, { number, scenario });
  }
  return { views, kinds: [...kinds.values()], refusals };
}

function note(
  kinds: Map<string, Kind>,
  findings: readonly Finding[],
  { number, scenario }: { number: number; scenario: Scenario },
): void {
  for (const [name, found] of Map.groupBy(findings, nameOf)) {
    const views = new Set(found.map(({ step }) => step)).size;
    const kind = kinds.get(name);
    const first = { number, scenario, finding: found[0]! };
    if (kind === undefined) kinds.set(name, { name, views, ...first });
    else
      Object.assign(kind, { views: kind.views + views }, kind.scenario.steps.length > scenario.steps.length && first);
  }
}
