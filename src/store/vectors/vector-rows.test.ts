import { expect, test } from "vitest";
import { codesAt, scanLayout } from "./scan-layout.js";
import { VectorRows } from "./vector-rows.js";

const layout = scanLayout(3);
const row = (key: number) => ({ key, group: key, codes: Int8Array.of(key, key, key), scale: key });

function filled(count: number): VectorRows {
  const rows = new VectorRows(layout);
  rows.reserve(count);
  for (let slot = 0; slot < count; slot++) rows.write(slot, row(slot + 1));
  return rows;
}

test("leaves nothing of a removed row behind", () => {
  const rows = filled(3);
  rows.remove(0);
  rows.remove(1);
  expect([...rows.keys.subarray(0, 3)]).toEqual([3, 0, 0]);
  expect([...rows.groups.subarray(0, 3)]).toEqual([3, 0, 0]);
  const start = codesAt(layout, 0);
  const codes = rows.kernel.views.codes.subarray(start, start + 3 * layout.stride);
  expect([...codes].filter((code) => code !== 0)).toEqual([3, 3, 3]);
});

test("grows by the last step that there is room for, and says when there is none", () => {
  const wide = new VectorRows(scanLayout(65_536));
  wide.reserve(60 * 1024);
  wide.reserve(61 * 1024);
  expect(wide.keys).toHaveLength(61 * 1024);
  expect(() => wide.reserve(70 * 1024)).toThrow(expect.objectContaining({ code: "store-full" }));
  expect(wide.keys).toHaveLength(61 * 1024);
});

test("grows in steps of an eighth", () => {
  const rows = filled(80 * 1024);
  rows.reserve(80 * 1024 + 1);
  expect(rows.keys).toHaveLength(90 * 1024);
});
