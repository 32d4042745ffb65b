/** Words that the rules know. Lower case, apart by spaces or commas. */
const words = (list: string): ReadonlySet<string> => new Set(list.trim().split(/\s+/));
const phrases = (list: string): ReadonlySet<string> => new Set(list.trim().split(/\s*,\s*/));

/** Nouns that name a setting or an attribute: each has one value at a time. */
export const ATTRIBUTES = words(`
  port version region url uri endpoint host hostname domain server database schema bucket branch repo repository registry
  email phone address birthday name nickname surname username handle timezone locale currency language pronouns
  deadline budget quota limit timeout threshold interval frequency salary
  editor ide framework library runtime shell os terminal browser linter formatter bundler provider model tokenizer
  command path directory folder filename format style theme font colour color layout convention
  owner maintainer manager boss supervisor lead assignee reviewer landlord dentist doctor therapist
  employer company job title role position major university school college city country hometown
  license licence stack cloud cluster namespace environment channel queue topic
  age height weight diet religion nationality spouse wife husband partner girlfriend boyfriend fiancé fiancée
  venue destination airline airport hotel gym bank insurer password code pin`);

/** Attributes that say something alone; the others need a word before them where no one owns them ("the deploy name"). */
const SPEAKING = words(
  "port version timezone deadline hostname database region endpoint linter formatter bundler editor ide",
);

/** What a slot's name never holds: it points at something that changes from one sentence to the next. */
const POINTING =
  /\b(?:this|that|these|those|other|another|next|last|previous|old|former|first|second|third|each|every|some|any|one|same|only|best|worst|main (?:point|idea|thing)|whole|problem|issue|question|answer|result|thing|point|part|rest|reason|idea|example|error|and|or|used|was|were|is|are|be|been|has|have|had|do|does|did|will|can|that|which|who|not|const|let|var|current (?:one|step))\b/i;

const isAttribute = (noun: string): boolean => ATTRIBUTES.has(noun) || ATTRIBUTES.has(noun.replace(/s$/, ""));

/** The head of a noun phrase: the last word before "of the…", "for the…", "in the…". */
const headOf = (phrase: string): string =>
  (phrase.split(/ (?:of|for|in|on|at|to|from|with) /)[0] ?? phrase).split(" ").at(-1)?.toLowerCase() ?? "";

/** Whether a noun phrase names a slot. */
export function namesSlot(phrase: string, owned: boolean): boolean {
  if (POINTING.test(phrase)) return false;
  const head = headOf(phrase);
  return isAttribute(head) && (owned || SPEAKING.has(head) || /[ -]/.test(phrase));
}

/** Whether a noun phrase may name a slot where the speaker says that something is to be kept or has changed. */
export const mayNameSlot = (phrase: string): boolean =>
  !POINTING.test(phrase) &&
  !/^\p{L}+ing\b/u.test(phrase) &&
  !/^(?:it|he|she|they|we|you|I|there|here|what|everything|nothing|everyone)$/i.test(phrase);

/** Words after "is" that judge and do not tell a value. */
const JUDGEMENTS = words(`
  great good bad nice fine ok okay ready done broken down up wrong right slow fast new old big small high low long short
  important useful useless amazing awesome awful beautiful lovely perfect terrible wonderful interesting boring hard easy
  difficult tough missing empty full open closed available unavailable unknown unclear clear different similar same here there
  gone back on off over finished complete incomplete pending coming approaching tight flexible fixed unique common rare
  really very so too quite pretty rather such more less most least just only still already always never also
  working failing running stuck getting going making being doing having looking trying starting helping
  important essential crucial critical key vital necessary required optional possible impossible likely unlikely
  expensive cheap free busy tired sick happy sad excited proud nervous worried
  a an the this that these those my your our his her their its it he she they we you i what why how when where who
  to in at by from with about as because if where one some any all both each every no none nothing something everything
  not based made meant supposed used located due part full like near close next last`);

const PLAIN_VALUE = /^[\w@/.:+#~$€£%^*-]+$/;
const LOOKS_EXACT = /\d|[@/\\:#_~]|^\p{Lu}|^["'`“]|\w-\w|\w\.\w/u;

/**
 * Whether the words after "is" are a value: exact (a number, a name, a path), or, of what somebody owns, a few plain words.
 */
export function isValue(value: string, plain = true): boolean {
  const tokens = value.split(" ");
  const first = (/^\p{L}+(?=--|[\s.,;:!?]|$)/u.exec(value)?.[0] ?? "").toLowerCase();
  if (tokens.length > 8 || value.length > 120 || JUDGEMENTS.has(first)) return false;
  return (
    LOOKS_EXACT.test(value) ||
    useOf(value) !== undefined ||
    (plain && tokens.length <= 3 && tokens.every((token) => PLAIN_VALUE.test(token)))
  );
}

/** Whether it may be a value where the speaker asks to keep it: anything that is not a judgement in one word. */
export function mayBeValue(value: string): boolean {
  return value !== "" && value.length <= 200 && !VAGUE.test(value) && !isJudgement(value);
}

const VAGUE = /^(?:a|an|not|no|very|really|so|too|quite|pretty|important|what|how|why|because|when|where)\b/i;

const isJudgement = (value: string): boolean => !value.includes(" ") && JUDGEMENTS.has(value.toLowerCase());

/** Tools of which one is used at a time, by what they are used for. */
const TOOLS: Readonly<Record<string, string>> = {
  "package manager": "npm, pnpm, yarn, bun",
  "python package manager": "pip, poetry, uv, pipenv, conda, pdm",
  "test runner": "jest, vitest, mocha, ava, jasmine, karma",
  "python test runner": "pytest, unittest, nose",
  linter: "eslint, biome, oxlint, tslint, jshint",
  "python linter": "ruff, flake8, pylint",
  bundler: "webpack, vite, rollup, parcel, esbuild, turbopack, rspack",
  editor:
    "vim, neovim, emacs, vs code, vscode, visual studio code, sublime text, sublime, intellij, intellij idea, webstorm, pycharm, zed, cursor, helix, nano, notepad++",
  shell: "bash, zsh, fish, powershell, nushell",
  "operating system": "windows, windows 10, windows 11, macos, linux, ubuntu, fedora, debian, arch linux, arch, nixos",
  browser: "chrome, firefox, safari, edge, brave, arc, opera",
  "css framework": "tailwind, tailwind css, bootstrap, bulma",
  orm: "prisma, drizzle, typeorm, sequelize, sqlalchemy, knex, kysely",
  "version control": "git, mercurial, svn, jujutsu",
  "ci system": "github actions, gitlab ci, circleci, jenkins, travis ci, buildkite",
  "issue tracker": "jira, linear, trello, asana, youtrack",
  "note app": "notion, obsidian, evernote, onenote, logseq, roam, apple notes",
  "budgeting app": "ynab, mint, quicken",
};
const USE_OF = new Map(
  Object.entries(TOOLS).flatMap(([use, names]) => [...phrases(names)].map((name): [string, string] => [name, use])),
);

/** What a tool is used for, where one has one such tool at a time. */
export const useOf = (tool: string): string | undefined => USE_OF.get(tool.toLowerCase());

const USE_NAMES: ReadonlyMap<string, string> = new Map(
  Object.entries({
    testing: "test runner",
    tests: "test runner",
    "unit testing": "test runner",
    "unit tests": "test runner",
    linting: "linter",
    formatting: "formatter",
    bundling: "bundler",
    builds: "build tool",
    building: "build tool",
    packages: "package manager",
    "package management": "package manager",
    styling: "css framework",
    ci: "ci system",
    "project management": "issue tracker",
    "note taking": "note app",
    notes: "note app",
    deployment: "deployment tool",
    deployments: "deployment tool",
    deploys: "deployment tool",
    hosting: "hosting provider",
    caching: "cache",
    logging: "logging library",
    "state management": "state library",
    authentication: "authentication provider",
    auth: "authentication provider",
    monitoring: "monitoring tool",
    payments: "payment provider",
    email: "email provider",
    validation: "validation library",
    databases: "database",
    storage: "storage",
    budgeting: "budgeting app",
  }),
);

/** "We use Redis for caching": the slot that "caching" names. */
export function useNamed(phrase: string): string | undefined {
  const plain = phrase.toLowerCase().replace(/^(?:the|our|all|my) /, "");
  return useCalled(plain) ?? (isAttribute(headOf(plain)) ? plain : undefined);
}

/** A use by one of its own names. */
export function useCalled(name: string): string | undefined {
  const isUse = Object.hasOwn(TOOLS, name) || [...USE_NAMES.values()].includes(name);
  return USE_NAMES.get(name) ?? (isUse ? name : undefined);
}

const COUNTRIES = phrases(`
  argentina, australia, austria, bangladesh, belgium, bolivia, brazil, bulgaria, canada, chile, china, colombia, costa rica, croatia,
  cuba, czechia, czech republic, denmark, ecuador, egypt, england, estonia, ethiopia, finland, france, germany, ghana, greece,
  hungary, iceland, india, indonesia, iran, iraq, ireland, israel, italy, jamaica, japan, jordan, kenya, korea, south korea, latvia,
  lebanon, lithuania, luxembourg, malaysia, mexico, morocco, nepal, netherlands, the netherlands, new zealand, nigeria, northern ireland,
  norway, pakistan, panama, peru, philippines, the philippines, poland, portugal, romania, russia, saudi arabia, scotland, serbia,
  slovakia, slovenia, south africa, spain, sri lanka, sweden, switzerland, taiwan, thailand, tunisia, turkey, türkiye, uganda, ukraine,
  uae, uk, the uk, united kingdom, the united kingdom, us, the us, usa, the usa, united states, the united states, america, uruguay,
  venezuela, vietnam, wales, europe, asia, africa, south america`);
const STATES = phrases(`
  alabama, alaska, arizona, arkansas, california, colorado, connecticut, delaware, florida, georgia, hawaii, idaho, illinois, indiana,
  iowa, kansas, kentucky, louisiana, maine, maryland, massachusetts, michigan, minnesota, mississippi, missouri, montana, nebraska,
  nevada, new hampshire, new jersey, new mexico, north carolina, north dakota, ohio, oklahoma, oregon, pennsylvania, rhode island,
  south carolina, south dakota, tennessee, texas, utah, vermont, virginia, west virginia, wisconsin, wyoming, bavaria, ontario, quebec,
  british columbia, brittany, catalonia, tuscany, scotland`);
const COMPANIES = words(`
  google amazon microsoft apple meta facebook netflix stripe openai anthropic nvidia intel ibm oracle salesforce uber lyft airbnb
  spotify twitter github gitlab shopify tesla spacex deloitte kpmg accenture mckinsey siemens bosch sap samsung sony`);
const NO_PLACES = words(`
  monday tuesday wednesday thursday friday saturday sunday january february march april may june july august september october
  november december ai ml typescript javascript python rust go golang java kotlin swift ruby react vue angular svelte postgres postgresql
  mysql sqlite mongodb redis docker kubernetes aws azure gcp vercel netlify heroku slack discord teams zoom excel god`);

/** Parts of a firm, to which one moves without moving house. */
const DEPARTMENTS = words(`
  design product engineering marketing sales support qa hr finance operations ops legal research security management platform
  infrastructure backend frontend accounting procurement logistics leadership devops analytics`);
const SHORT_PLACES = words("us uk uae usa nyc la sf dc eu");

/** The slot of a place where somebody lives; none where it is a tool, a firm or a day. */
export function placeSlot(place: string): "home city" | "home state" | "home country" | undefined {
  const plain = place.toLowerCase();
  const first = plain.split(/[ ,]/)[0] ?? "";
  if (plain.split(" ").some((word) => DEPARTMENTS.has(word))) return undefined;
  if (/^\p{Lu}{2,3}$/u.test(place) && !SHORT_PLACES.has(plain)) return undefined;
  if (NO_PLACES.has(first) || COMPANIES.has(first) || useOf(plain) !== undefined) return undefined;
  if (COUNTRIES.has(plain)) return "home country";
  return STATES.has(plain) ? "home state" : "home city";
}

export const PROFESSIONS = words(`
  engineer developer programmer designer manager teacher professor nurse doctor lawyer attorney accountant analyst architect artist
  writer author editor journalist producer director consultant scientist researcher student chef cook baker barista waiter waitress
  banker broker salesperson administrator administrator admin electrician plumber carpenter mechanic pilot driver librarian therapist psychologist
  counselor counsellor dentist pharmacist veterinarian vet paramedic firefighter officer soldier photographer musician actor actress
  dancer coach trainer translator interpreter recruiter marketer strategist planner coordinator assistant secretary receptionist
  cashier technician operator supervisor executive founder ceo cto cfo coo president owner entrepreneur freelancer contractor intern
  apprentice lecturer tutor principal lead head sre devops statistician economist biologist chemist physicist mathematician`);

/** Whether a phrase ends in the name of a profession: "senior data engineer". */
export const isProfession = (phrase: string): boolean => PROFESSIONS.has(headOf(phrase));

/** Words that stand where a name stands and are none. */
const NO_NAMES = words(`
  i he she it we you they this that these those there here everyone everybody someone somebody anyone anybody nobody no-one one people
  who what which where when why how the a an my your our his her their its all some many most each every both none
  yes no ok okay well so and but or also now then thanks thank hey hi hello oh wow yeah just only maybe please let if
  as in on by since at of for after before during until with from
  train bus bike car foot plane boat subway metro tram taxi ferry
  nothing everything something user users note update remember today tomorrow yesterday monday tuesday wednesday thursday friday saturday
  sunday january february march april may june july august september october november december`);

export const isPersonName = (name: string): boolean =>
  !NO_NAMES.has((name.split(" ")[0] ?? "").toLowerCase()) && !/^\p{L}+(?:ing|ed)\b/u.test(name);
