import { expect, test } from "vitest";
import { type FuzzReport, fuzz } from "./run.js";

const SEED = Number(process.env.VARVE_SEED ?? 1);

/** What a report found, with what plays it again. */
const told = ({ kinds }: FuzzReport) =>
  kinds.map(({ name, number, finding }) => ({
    name,
    again: `npm run fuzz -- --seed ${SEED} --scenario ${number}`,
    finding,
  }));

test("views of all strategies keep every rule of every provider, as checkers apart from the product read them", async () => {
  const report = await fuzz({ views: 400, seed: SEED });
  expect(told(report)).toEqual([]);
  expect(report.views).toBeGreaterThanOrEqual(400);
});
