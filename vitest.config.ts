import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["src/**/*.test.ts", "test/**/*.test.ts"],
    // Ends what hangs. A machine that is busy with other work may take ten times as long as a quiet one.
    testTimeout: 180_000 * Number(process.env.VARVE_RUNS ?? 1),
    hookTimeout: 180_000,
    globalSetup: ["test/support/shared-build.ts"],
    setupFiles: ["test/support/properties.ts"],
  },
});
