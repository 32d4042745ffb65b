/** What terminals show beside words: frames, colours, spinners, signs, long stretches of white space. */
const lines = (...rows: string[]): string => `${rows.join("\n")}\n`;

export const OUTPUT: Readonly<Record<string, string>> = {
  "a tree of files": lines(
    "src",
    "├── tokens",
    "│   ├── byte-pair.ts",
    "│   ├── media",
    "│   │   ├── image.ts",
    "│   │   └── audio.ts",
    "│   └── models.json",
    "└── index.ts",
  ).repeat(40),
  "a table in a frame": lines(
    "┌──────────┬──────────┬────────┐",
    "│ name     │ status   │ time   │",
    "├──────────┼──────────┼────────┤",
    "│ api      │ ok       │ 12 ms  │",
    "└──────────┴──────────┴────────┘",
  ).repeat(40),
  "a coloured test run": lines(
    "\u001b[32m✓\u001b[39m src/a.test.ts \u001b[2m(\u001b[22m\u001b[2m3 tests\u001b[22m\u001b[2m)\u001b[22m\u001b[33m 12\u001b[2mms\u001b[22m",
    "\u001b[31m❯\u001b[39m src/b.test.ts \u001b[2m(\u001b[22m\u001b[2m1 test\u001b[22m\u001b[2m)\u001b[22m",
  ).repeat(60),
  bars: "█".repeat(300) + "▁▂▃▄▅▆▇".repeat(50),
  braille: "⠋⠙⠹⠸⠼⠴⠦⠧ ".repeat(60),
  "a spinner": "⠋ installing\r⠙ installing\r⠹ installing\r".repeat(60),
  formulas: "∀x∈ℝ: ⌈x⌉ = −⌊−x⌋, α ∧ ¬β ".repeat(60),
  signs: "♩♪♫♬♭♮♯ ➜ ✔ ✖ ⚠ ℹ › ❯ ".repeat(60),
  arrows: "→ ← ⇒ ⇐ ↳ ↪ ⟶ ".repeat(60),
  "headings between rules": lines(
    "=".repeat(40),
    "Building the project",
    "=".repeat(40),
    "-".repeat(10),
    "done",
  ).repeat(20),
  "short rules": lines("=".repeat(10)).repeat(120),
  "line breaks": "\n".repeat(20_000),
  "line breaks of Windows": "\r\n".repeat(5_000),
  tabs: "\t".repeat(5_000),
  "control characters": "\u0000\u0001\u0002".repeat(300),
};
