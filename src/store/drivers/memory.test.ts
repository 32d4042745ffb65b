import { describe, test } from "vitest";
import { storeChecks } from "../../testing/store-checks.js";
import { memoryStore } from "./memory.js";

describe("the memory store", () => {
  const subject = { open: async () => memoryStore(), durable: false };
  for (const { name, run } of storeChecks(subject)) test(name, run);
});
