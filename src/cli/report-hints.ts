/** What the library tells programs to do, in the words of the command line. The first that fits is said. */
const HINTS: readonly (readonly [said: RegExp, hint: string])[] = [
  [/session\.receipts\(\)/, "`varve context receipts` lists those made."],
  [/existing: "skip"/, "Import with --existing skip or --existing replace, or into another store with --store."],
  [
    /explicit `window`|context window in tokens/,
    'Give the size of the window with --window, such as --window 128000, or "window" in varve.json.',
  ],
  [
    /session\.entries\(\)/,
    "`varve session show` lists the newest entries, `varve context search` finds any, and `varve context pin` lists the pins.",
  ],
  [/session\.checkpoints\(\)/, "`varve context checkpoint --list` lists those there are."],
  [/varve\.sessions\(\)/, "`varve session list` lists those there are."],
  [
    /memory\.list\(\)/,
    "`varve memory list --superseded` shows the ids; a memory of another scope is not seen from here.",
  ],
  [/varve\.embed\(\)/, "Run `varve memory embed`: it goes on where it stopped, and searches work meanwhile."],
  [/varve\.memory\(/, "Say whose memories are meant: --user, --project, --agent, --tenant or --of-session."],
  [
    /registerStrategy/,
    'Name another one with --strategy, such as --strategy hierarchical, or its plug-in under "plugins" in varve.json.',
  ],
  [/loadPlugins\(/, 'Name the model under "chat" in varve.json, or leave compressionModel out.'],
  [/^See the cause\.$/, "Mend what the cause names, or name another store with --store."],
  [/a Store of your own/, 'Use "sqlite:PATH", "file:FOLDER" or "postgres://…".'],
  [
    /openVarve\(|varve\.session\(\)(?! in a program)/,
    "Run the command again; `varve session list` shows what there is.",
  ],
];

/** Where the parts of a view need more than the window has, rather than where a provider says so. */
const LARGER_WINDOW = /^Above all (.+), or choose a model with a larger window\.$/;

export const commandLineHint = (hint: string): string =>
  HINTS.find(([said]) => said.test(hint))?.[1] ??
  hint
    .replace(LARGER_WINDOW, 'Give a larger window with --window, or "window" in varve.json; or $1.')
    .replace("; or send fewer tools", "");
