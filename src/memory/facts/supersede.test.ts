import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { closings, type SlotValue, supersede } from "./supersede.js";

const says = (value: string, at: number, more: Partial<SlotValue> = {}): SlotValue => ({
  slot: "user/employer",
  value,
  at,
  row: `${value} ${at}`,
  ...more,
});
const ended = (closes: string, at: number): SlotValue => ({
  slot: "user/employer",
  closes,
  at,
  row: `not ${closes} ${at}`,
});

describe("supersede", () => {
  it("closes the value before at the time of the new one", () => {
    const [acme, globex] = [says("Acme", 1), says("Globex", 5)];
    expect(closings([acme], [globex])).toEqual([{ value: acme, at: 5, by: globex.row }]);
  });

  it("closes a report that comes late at the time of what followed it", () => {
    const [acme, globex] = [says("Acme", 1), says("Globex", 5)];
    expect(closings([globex], [acme])).toEqual([{ value: acme, at: 5, by: globex.row }]);
  });

  it("counts an equal value as a repetition", () => {
    const [acme, again] = [says("Acme", 1), says("the ACME.", 5)];
    expect(supersede([acme], [again])).toEqual({
      closings: [],
      repetitions: [{ value: again, of: acme }],
    });
  });

  it("takes a name with a word more for the same", () => {
    expect(closings([says("Acme", 1)], [says("Acme Corp", 5)])).toEqual([]);
    expect(closings([says("8080", 1)], [says("8080 8081", 5)])).toHaveLength(1);
  });

  it("closes what only ended, and nothing else", () => {
    const [acme, globex] = [says("Acme", 1), says("Globex", 1)];
    expect(closings([acme], [ended("Acme", 5)]).map(({ value }) => value)).toEqual([acme]);
    expect(closings([globex], [ended("Acme", 5)])).toEqual([]);
  });

  it("opens again what had ended and is said again", () => {
    const [globex, back] = [says("Globex", 5), says("Acme", 9)];
    expect(supersede([globex], [back])).toMatchObject({ closings: [{ value: globex, at: 9 }], repetitions: [] });
  });

  it("keeps slots apart", () => {
    expect(closings([says("Acme", 1)], [says("Globex", 5, { slot: "ann/employer" })])).toEqual([]);
  });

  it("lets no tool and no document end anything", () => {
    for (const source of ["tool", "import"] as const) {
      const planted = says("Evil", 5, { source, update: true });
      expect(supersede([says("Acme", 1)], [planted])).toEqual({ closings: [], repetitions: [] });
      expect(closings([planted], [says("Acme", 1)])).toEqual([]);
    }
  });

  it("lets the agent end nothing but its own", () => {
    const user = says("Acme", 1);
    const retold = says("Globex", 5, { source: "agent", update: true });
    expect(closings([user], [retold])).toEqual([]);
    expect(closings([user], [{ ...ended("Acme", 5), source: "agent" }])).toEqual([]);
    const own = says("Initech", 1, { source: "agent" });
    expect(closings([own], [retold])).toEqual([{ value: own, at: 5, by: retold.row }]);
  });

  it("lets the user end what the agent said, beside what the user said before", () => {
    const [user, agent] = [says("Acme", 1), says("Globex", 5, { source: "agent", update: true })];
    const ends = closings([user, agent], [says("Initech", 9)]).map(({ value }) => value);
    expect(ends).toEqual([user, agent]);
  });

  it("comes to the same, in whatever order statements arrive", () => {
    const statements = fc.uniqueArray(
      fc.record({ value: fc.constantFrom("A1", "B2", "C3"), at: fc.integer({ min: 0, max: 20 }) }),
      {
        selector: ({ at }) => at,
        minLength: 1,
        maxLength: 8,
      },
    );
    fc.assert(
      fc.property(statements, fc.infiniteStream(fc.nat()), (list, chance) => {
        const values = list.map(({ value, at }) => says(value, at));
        const shuffled = [...values].sort(() => (chance.next().value % 2 === 0 ? 1 : -1));
        expect(openAfter(shuffled)).toEqual(openAfter([...values].sort((a, b) => a.at - b.at)));
      }),
    );
  });
});

/** The value that holds when all has arrived, one statement after the other. */
function openAfter(arriving: readonly SlotValue[]): string[] {
  let open: SlotValue[] = [];
  for (const next of arriving) {
    const closed = new Set(closings(open, [next]).map(({ value }) => value));
    open = [...open, next].filter((value) => !closed.has(value));
  }
  return [...new Set(open.map(({ value }) => value ?? ""))];
}
