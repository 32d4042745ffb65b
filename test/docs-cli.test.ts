import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Command } from "commander";
import { expect, test } from "vitest";
import { z } from "zod";
import { outputSchemas } from "../src/cli/output/schemas.js";
import { createProgram } from "../src/cli/program.js";

const PAGE = fileURLToPath(new URL("../docs/cli.md", import.meta.url));
const WIDTH = 100;

/** A part of the page between its marks, replaced. */
function replaced(page: string, mark: string, text: string): string {
  const pattern = new RegExp(`(<!-- ${mark}\\b[^>]*-->\\n)[\\s\\S]*?(<!-- /${mark} -->)`);
  expect(page, `${PAGE} has the marks of ${mark}`).toMatch(pattern);
  return page.replace(pattern, (_, start: string, end: string) => `${start}\n${text}\n\n${end}`);
}

function helpOf(command: Command): string {
  let text = "";
  command.configureOutput({ writeOut: (part) => (text += part), getOutHelpWidth: () => WIDTH });
  command.outputHelp();
  return text.trimEnd();
}

const fence = (text: string): string => `\`\`\`text\n${text}\n\`\`\``;

function leaves(command: Command): Command[] {
  return command.commands.length === 0 ? [command] : command.commands.flatMap(leaves);
}

async function helpSection(): Promise<string> {
  const program = await createProgram(undefined);
  const parts = leaves(program).map((command) => {
    const text = helpOf(command).replace(/\n\nExit codes: see varve --help\.$/, "");
    return `### ${/^Usage: (varve [a-z ]*?)(?= \[|$| <)/m.exec(text)?.[1] ?? command.name()}\n${fence(text)}`;
  });
  return [fence(helpOf(program)), ...parts].join("\n\n");
}

/** The fields of each document beyond the envelope. */
function fieldsSection(): string {
  const rows = Object.entries(outputSchemas).map(([name, schema]) => {
    const { properties = {} } = z.toJSONSchema(schema) as { properties?: Record<string, unknown> };
    const fields = Object.keys(properties).filter((field) => field !== "varve" && field !== "command");
    return `| \`${name}\` | ${fields.map((field) => `\`${field}\``).join(", ")} |`;
  });
  return ["| command | fields |", "|---|---|", ...rows].join("\n");
}

/** The page as it should be is a snapshot of itself: updating snapshots writes it. */
test("the help and the JSON fields in the documentation are those of the program", async () => {
  const page = readFileSync(PAGE, "utf8");
  const expected = replaced(replaced(page, "help", await helpSection()), "fields", fieldsSection());
  await expect(expected).toMatchFileSnapshot(PAGE);
});
