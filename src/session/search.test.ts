import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { user } from "../../test/support/build.js";
import { runs } from "../../test/support/runs.js";
import { type Entry, entryOf } from "../message/entry.js";
import { packMessage } from "../message/packed-message.js";
import { LogSearch } from "./search.js";

const entriesOf = (texts: readonly string[]): Entry[] =>
  texts.map((text, at) => entryOf(packMessage(user(text), at), at, { first: 0, after: -1, time: 0 }));

const OTHERS = ["Nothing of interest.", "天気がいいですね", "今天天气很好", "오늘 날씨가 좋다"];

function search(query: string, text: string): readonly string[] {
  return new LogSearch().find(query, entriesOf([...OTHERS, text]), 5).map(({ excerpt }) => excerpt);
}

describe("a search of the log", () => {
  it.each([
    ["端口", "数据库监听端口是5433，不要修改迁移文件。"],
    ["迁移文件", "数据库监听端口是5433，不要修改迁移文件。"],
    ["5433", "数据库监听端口是5433，不要修改迁移文件。"],
    ["口", "数据库监听端口是5433，不要修改迁移文件。"],
    ["東京", "東京オフィスの請求書"],
    ["オフィス", "東京オフィスの請求書"],
    ["ｵﾌｨｽ", "東京オフィスの請求書"],
    ["포트", "데이터베이스 포트는 5433입니다"],
    ["5433", "데이터베이스 포트는 5433입니다"],
    ["ฐานข้อมูล", "พอร์ตของฐานข้อมูลคือ5433"],
    ["caf\u00e9", "the cafe\u0301 on the corner"],
    ["cafe\u0301", "the caf\u00e9 on the corner"],
    ["ﬁle", "a file was written"],
    ["app", "see src/app.ts"],
    ["मंदिर", "यह मंदिर पुराना है"],
  ])("finds %s in %s", (query, text) => {
    expect(search(query, text)[0]).toBe(text);
  });

  it("ranks the entry with the characters side by side above one that has them apart", () => {
    const entries = entriesOf(["口在端", "端口"]);
    expect(new LogSearch().find("端口", entries, 5).map(({ excerpt }) => excerpt)).toEqual(["端口"]);
  });

  it("finds what lies deep in a long entry, and shows the words around it", () => {
    const long = `${"filler words go on ".repeat(30_000)}the vault key is 8841 ${"and on ".repeat(30_000)}`;
    expect(search("vault key", long)[0]).toContain("the vault key is 8841");
  });

  it("shows the words around a match also where equal forms of letters differ in length", () => {
    const long = `${"cafe\u0301 ﬃ ".repeat(2_000)}the vault key ${"cafe\u0301 ".repeat(2_000)}`;
    expect(search("VAULT key", long)[0]).toContain("the vault key");
  });

  it("finds every word of a text by itself", () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom("port", "端口", "東京オ", "é", "x9", "ไทย", "."), { minLength: 1 }),
        (parts) => {
          const text = parts.join("");
          for (const part of parts)
            if (part !== "." && !/[a-zé]/.test(part)) expect(search(part, text)).toContain(text);
        },
      ),
      { numRuns: runs(50) },
    );
  });
});
