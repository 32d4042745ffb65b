// Whether a session stays as small and as fast as it was, and what the first view of a very long one costs.
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

export const name = "soak";

const PROGRAM = fileURLToPath(new URL("./support/long-session.mjs", import.meta.url));
const STEPS = 10_000;

function inProcess(...parameters) {
  const printed = execFileSync(process.execPath, ["--expose-gc", PROGRAM, ...parameters.map(String)], {
    encoding: "utf8",
    stdio: ["ignore", "pipe", "ignore"],
  });
  return JSON.parse(printed);
}

export async function run({ report, entries }) {
  const folder = mkdtempSync(join(tmpdir(), "varve-soak-"));
  const file = (called) => join(folder, `${called}.db`);
  try {
    const { heap, median, mean } = inProcess("soak", file("soak"), STEPS);
    report({
      figure: "heap, most of it from step 4,000 to 10,000",
      over: { name: "later", megabytes: heap.most },
      under: { name: "step 2,000", megabytes: heap.early },
      atMost: 1.2,
    });
    for (const [which, { early, late }] of Object.entries({ median, mean }))
      report({
        figure: `${which} CPU of a step, the last 1,000 of 10,000`,
        over: { name: "last", milliseconds: late },
        under: { name: "steps 1,000 to 2,000", milliseconds: early },
        atMost: 1.3,
      });
    inProcess("fill", file("long"), entries);
    const first = inProcess("view", file("long"));
    const all = inProcess("parse", file("long"));
    const long = new Intl.NumberFormat("en").format(entries);
    for (const [which, called] of Object.entries({ cpu: "CPU", blocked: "longest stop" }))
      report({
        figure: `first view of ${long} entries, ${called}`,
        over: { name: "varve", milliseconds: first[which] },
        under: { name: "parsing all", milliseconds: all[which] },
        atMost: 4,
      });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
