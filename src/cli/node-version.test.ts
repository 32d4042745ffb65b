import { expect, test } from "vitest";
import { unsupportedNode } from "./node-version.js";

test.each(["20.20.2", "22.12.0", "18.0.0", "21.9.9"])("turns Node %s away and says what to do", (version) => {
  const text = unsupportedNode(version);
  expect(text).toContain("22.13");
  expect(text).toContain(`this is Node ${version}`);
  expect(text).toContain("https://nodejs.org");
  expect(text).toContain("npm start");
});

test.each(["22.13.0", "22.20.1", "23.0.0", "24.9.0", "100.0.0"])("lets Node %s pass", (version) => {
  expect(unsupportedNode(version)).toBeUndefined();
});
