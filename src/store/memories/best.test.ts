import fc from "fast-check";
import { expect, it } from "vitest";
import { Best } from "./best.js";

it("keeps the best, and of equals those that come first in the order", () => {
  const scores = fc.array(fc.integer({ min: 0, max: 20 }), { maxLength: 60 });
  fc.assert(
    fc.property(scores, fc.nat(12), fc.infiniteStream(fc.nat()), (given, limit, chance) => {
      const items = given.map((score, order) => ({ order, score }));
      const offered = items.map((item) => ({ item, at: chance.next().value })).sort((a, b) => a.at - b.at);
      const best = new Best<{ order: number; score: number }>(limit);
      for (const { item } of offered) best.offer(item, item.score);
      const wanted = items.toSorted((a, b) => b.score - a.score || a.order - b.order).slice(0, limit);
      expect(best.items.toSorted((a, b) => b.score - a.score || a.order - b.order)).toEqual(wanted);
      if (limit > 0 && items.length >= limit) expect(best.floor).toBe(wanted.at(-1)!.score);
    }),
  );
});
