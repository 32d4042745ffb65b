export type { Check } from "./check.js";
export type { MakeStrategy, SubjectSettings } from "./drive.js";
export { memoriesChecks } from "./memories-checks.js";
export { storeChecks } from "./store-checks.js";
export type { StoreSubject } from "./store-subject.js";
export { type StrategyChecksOptions, strategyChecks } from "./strategy-checks.js";
