import { resolveSettings, type WindowSettings } from "../../compaction/settings.js";
import { contextManager } from "../context-manager.js";
import type { Archive, Strategy, StrategyInput } from "../strategy.js";
import { WindowViewer } from "../window/viewer.js";
import { Frontier, type FrontierPolicy } from "./frontier.js";

export interface HierarchicalOptions extends WindowSettings, Partial<FrontierPolicy> {
  readonly lockLast?: number;
  readonly resultShare?: number;
  readonly archive?: Archive;
}

const DEFAULTS: FrontierPolicy & { lockLast: number; resultShare: number } = {
  lockLast: 2,
  resultShare: 0.25,
  digestShare: 0.65,
  largestLeafShare: 0.2,
  fanout: 6,
  mergeShare: 0.85,
};

export function hierarchical(options: HierarchicalOptions = {}): Strategy {
  const policy = { ...DEFAULTS, ...options };
  const start = (input: StrategyInput) =>
    new WindowViewer(input, {
      name: "hierarchical",
      lockLast: policy.lockLast,
      resultShare: policy.resultShare,
      standIn: (standIn) => new Frontier(standIn, policy),
    });
  let alone: ReturnType<typeof contextManager> | undefined;
  const manager = () => {
    alone ??= contextManager({ start, ...resolveSettings(options) });
    return alone;
  };
  return {
    name: "hierarchical",
    start,
    composePayload: async (...payload) => manager().composePayload(...payload),
    onTurnComplete: async (newHistory) => manager().onTurnComplete(newHistory),
  };
}
