import { Argument, type Command } from "commander";
import { defineCommand } from "../command.js";
import type { Output } from "../output/schemas.js";

const SHELLS = ["bash", "zsh", "fish"] as const;
type Shell = (typeof SHELLS)[number];

/** Words that may follow other words: "context" → its commands and options. */
type Words = ReadonlyMap<string, readonly string[]>;

export const command = defineCommand({
  define: (command) => {
    command
      .addArgument(new Argument("<shell>", "the shell").choices(SHELLS))
      .addHelpText(
        "after",
        '\nbash: eval "$(varve completions bash)" in ~/.bashrc\nzsh:  eval "$(varve completions zsh)" in ~/.zshrc\nfish: varve completions fish > ~/.config/fish/completions/varve.fish',
      );
  },
  async run({ operands: [shell = "bash"], program }) {
    const script = SCRIPTS[shell as Shell](wordsOf(await program()));
    const data: Output<"completions"> = { shell, script };
    return { data, lines: () => [script] };
  },
});

function wordsOf(program: Command): Words {
  const words = new Map<string, readonly string[]>();
  const visit = (command: Command, path: string): void => {
    const options = command.options.flatMap(({ long }) => long ?? []);
    words.set(path, [...command.commands.map((each) => each.name()), ...options, "--help"]);
    for (const each of command.commands) visit(each, `${path} ${each.name()}`.trim());
  };
  visit(program, "");
  return words;
}

const cases = (words: Words, line: (path: string, list: string) => string): string =>
  [...words].map(([path, list]) => line(path, list.join(" "))).join("\n");

const SCRIPTS: Readonly<Record<Shell, (words: Words) => string>> = {
  bash: (words) => `_varve() {
  local path="" word
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case "$word" in -*) break ;; *) path="\${path:+$path }$word" ;; esac
  done
  local list=""
  while :; do
    case "$path" in
${cases(words, (path, list) => `      "${path}") list="${list}"; break ;;`)}
      *" "*) path="\${path% *}" ;;
      *) break ;;
    esac
  done
  COMPREPLY=($(compgen -W "$list" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _varve varve`,
  zsh: (words) => `_varve() {
  local path_words="" word
  for word in \${words[2,CURRENT-1]}; do
    [[ $word == -* ]] && break
    path_words="\${path_words:+$path_words }$word"
  done
  local -a list
  while :; do
    case "$path_words" in
${cases(words, (path, list) => `      "${path}") list=(${list}); break ;;`)}
      *" "*) path_words="\${path_words% *}" ;;
      *) break ;;
    esac
  done
  compadd -- $list
  _files
}
compdef _varve varve`,
  fish: (words) =>
    [...words]
      .map(([path, list]) => {
        const isAt = `__varve_path "${path}"`;
        return `complete -c varve -n '${isAt}' -a '${list.join(" ")}'`;
      })
      .join("\n")
      .replace(
        /^/,
        `function __varve_path
  set -l words (commandline -opc)
  set -l path
  for word in $words[2..-1]
    string match -q -- '-*' $word; and break
    set -a path $word
  end
  test "$path" = "$argv[1]"
end
`,
      ),
};
