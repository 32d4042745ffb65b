import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { normaliseTerminal, plainText } from "./normalise.js";

describe("normaliseTerminal", () => {
  it("drops colours, links and titles", () => {
    expect(normaliseTerminal("\u001b[1;31mred\u001b[0m \u001b]8;;http://x\u0007link\u001b]8;;\u0007")).toBe("red link");
  });

  it("shows a rewritten line in its last state", () => {
    expect(normaliseTerminal("start\n10 %\r50 %\r100 %\ndone")).toBe("start\n100 %\ndone");
  });

  it("turns CRLF into LF", () => {
    expect(normaliseTerminal("a\r\nb\r\n")).toBe("a\nb\n");
  });

  it("drops a byte order mark", () => {
    expect(normaliseTerminal("\ufeff[1]")).toBe("[1]");
  });

  it("keeps a state that nothing later in its line resembles", () => {
    expect(normaliseTerminal("error: disk full at /dev/sda1\rretrying\rok\nend")).toBe(
      "error: disk full at /dev/sda1␍retrying␍ok\nend",
    );
  });

  it("keeps an error that its progress or a blank line wrote over", () => {
    expect(normaliseTerminal("10 %\rerror at 40 %: no route\r60 %\r100 %\nend")).toBe(
      "error at 40 %: no route␍100 %\nend",
    );
    expect(normaliseTerminal("cannot open a.txt\r                 \rdone 1/1\n")).toBe("cannot open a.txt␍done 1/1\n");
    expect(normaliseTerminal("cannot open a.txt\r        \nend")).toBe("cannot open a.txt\nend");
  });

  it.each([
    ["a spinner", "⠋ install\r⠙ install\r⠹ install\rinstalled"],
    ["a spinner of plain signs", "- install\r\\ install\r| install\r/ install\r- install\rinstalled"],
    ["a spinner of any signs", "+ install\r* install\rinstalled"],
    ["a share", "at 10%\rnearly 99%\rinstalled"],
    ["a count", "[1/20] compile\r[2/20] link\rinstalled"],
    ["a bar", "[==>  ] a\r[====>] b\rinstalled"],
    ["a rate", "fetch 1.2 MB\rread 90 kB/s\rinstalled"],
    ["an announcement", "Resolving ...\rFetching…\rinstalled"],
    ["a shorter form", "install\rinstalled"],
  ])("drops a state that shows no more than progress: %s", (_, line) => {
    expect(normaliseTerminal(line)).toBe("installed");
  });

  it("keeps what a sign opens where no other state says the same, or where it tells of trouble", () => {
    expect(normaliseTerminal("- amber\r* birch\rdone")).toBe("- amber␍* birch␍done");
    expect(normaliseTerminal("- disk failed\r* disk failed\rdone")).toContain("disk failed");
  });

  it("counts the states that it leaves out", () => {
    expect(plainText("1 %\r2 %\rend\r\n7 %\r8 %\r\n").statesOmitted).toBe(3);
    expect(plainText("\u001b[31mred\u001b[0m\r\n").statesOmitted).toBe(0);
  });

  it("takes carriage returns for line ends where there is hardly a newline", () => {
    const rows = Array.from({ length: 40 }, (_, i) => `${i},name ${i},${i} %`);
    expect(normaliseTerminal(rows.join("\r"))).toBe(rows.join("\n"));
    expect(normaliseTerminal(`${rows.join("\r")}\r\n`)).toBe(`${rows.join("\n")}\n`);
  });

  it("takes them for a progress bar where they are one", () => {
    const states = Array.from({ length: 40 }, (_, i) => `Receiving objects: ${i} % (${i}/40), ${i} KiB`);
    expect(normaliseTerminal(states.join("\r"))).toBe(states.at(-1));
  });

  it("keeps the number of lines unless carriage returns end them", () => {
    const pieces = fc.constantFrom("a", "\r", "\n", "\u001b[0m", "\u001b]", "\u0007", "x y");
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 60 }), (parts) => {
        const text = parts.join("");
        fc.pre(parts.filter((part) => part === "\r").length < 8);
        expect(normaliseTerminal(text).split("\n").length).toBe(text.split("\n").length);
        expect(normaliseTerminal(text)).not.toContain("\r");
      }),
    );
  });

  it("loses no word that is in no progress", () => {
    const word = fc.constantFrom("amber", "birch", "cedar", "dune", "no such file", "\r", "\n", "\r\n", " ");
    fc.assert(
      fc.property(fc.array(word, { maxLength: 60 }), (words) => {
        const plain = normaliseTerminal(words.join(""));
        for (const kept of new Set(words.map((each) => each.trim()))) expect(plain).toContain(kept);
      }),
    );
  });
});
