import { entropy, isPlaceholder, looksLikeKey, type SecretPattern } from "./secret-shapes.js";
import { BETWEEN, CODES, IS, PASSWORDS, TYPED } from "./spoken-secrets.js";

const START = "(?<![A-Za-z0-9_-])";
const prefixed = (kind: string, body: string): SecretPattern => ({
  kind,
  pattern: new RegExp(`${START}${body}`, "g"),
  accept: (token) => !MODEL_OF_ONE.test(token),
});
/** "xoxb-your-slack-token" shows where a token goes. */
const MODEL_OF_ONE = /your|example|placeholder|x{6}|\.{3}/i;

const SLACK: readonly SecretPattern[] = [
  prefixed("slack token", "xox[abeoprs]-[A-Za-z0-9-]{10,250}"),
  prefixed("slack token", "xapp-\\d-[A-Za-z0-9-]{10,250}"),
];

/** Tokens that say by their first letters whose they are. */
const PREFIXED: readonly SecretPattern[] = [
  prefixed("aws key id", "(?:AKIA|ASIA|ABIA|ACCA)[A-Z2-7]{16}(?![A-Za-z0-9])"),
  prefixed("github token", "(?:gh[pousr]_[A-Za-z0-9]{30,255}|github_pat_[A-Za-z0-9_]{30,255})"),
  prefixed("gitlab token", "gl(?:pat|ptt|dt|rt|cbt|ft|soat|agent|imt)-[A-Za-z0-9_-]{20,300}"),
  {
    kind: "slack webhook",
    pattern: /https:\/\/hooks\.slack\.com\/(?:services|workflows|triggers)\/[A-Za-z0-9/_-]{20,120}/g,
  },
  {
    kind: "discord webhook",
    pattern: /https:\/\/(?:\w{1,10}\.)?discord(?:app)?\.com\/api\/webhooks\/\d{10,25}\/[\w-]{40,120}/g,
  },
  prefixed("stripe key", "(?:sk|rk|pk)_(?:live|test)_[A-Za-z0-9]{10,250}"),
  prefixed("stripe secret", "whsec_[A-Za-z0-9+/=]{20,250}"),
  prefixed("anthropic key", "sk-ant-[A-Za-z0-9_-]{20,250}"),
  prefixed("openrouter key", "sk-or-[A-Za-z0-9_-]{20,250}"),
  {
    ...prefixed("openai key", "sk-(?:proj-|svcacct-|admin-|None-)?[A-Za-z0-9_-]{20,250}"),
    accept: (key) => !MODEL_OF_ONE.test(key) && /\d/.test(key) && /[A-Za-z]/.test(key.slice(3)),
  },
  prefixed("google key", "AIza[A-Za-z0-9_-]{35}(?![A-Za-z0-9_-])"),
  prefixed("google token", "ya29\\.[A-Za-z0-9_-]{20,500}"),
  prefixed("google secret", "GOCSPX-[A-Za-z0-9_-]{20,60}"),
  prefixed("huggingface token", "hf_[A-Za-z0-9]{30,60}"),
  prefixed("groq key", "gsk_[A-Za-z0-9]{40,80}"),
  prefixed("xai key", "xai-[A-Za-z0-9]{60,120}"),
  prefixed("perplexity key", "pplx-[A-Za-z0-9]{40,80}"),
  prefixed("replicate token", "r8_[A-Za-z0-9]{30,60}"),
  prefixed("npm token", "npm_[A-Za-z0-9]{30,60}"),
  prefixed("pypi token", "pypi-[A-Za-z0-9_-]{50,400}"),
  prefixed("sendgrid key", "SG\\.[A-Za-z0-9_-]{15,40}\\.[A-Za-z0-9_-]{30,60}"),
  prefixed("twilio key", "(?:SK|AC)[0-9a-f]{32}(?![0-9a-f])"),
  prefixed("mailgun key", "key-[0-9a-f]{32}(?![0-9a-f])"),
  prefixed("shopify token", "shp(?:at|ca|pa|ss)_[A-Fa-f0-9]{32}"),
  prefixed("square token", "(?:EAAA[A-Za-z0-9_-]{56,70}|sq0[a-z]{3}-[A-Za-z0-9_-]{22,50})"),
  prefixed("digitalocean token", "do[opr]_v1_[a-f0-9]{64}"),
  prefixed("databricks token", "dapi[a-f0-9]{32}(?:-\\d)?(?![a-f0-9])"),
  prefixed("hashicorp vault token", "hv[sbr]\\.[A-Za-z0-9_-]{20,300}"),
  prefixed("linear key", "lin_api_[A-Za-z0-9]{30,60}"),
  prefixed("notion token", "(?:ntn_[A-Za-z0-9]{30,60}|secret_[A-Za-z0-9]{43})(?![A-Za-z0-9])"),
  prefixed("figma token", "figd_[A-Za-z0-9_-]{30,60}"),
  prefixed("supabase key", "sb(?:p|_secret)_[A-Za-z0-9_]{20,80}"),
  prefixed("vercel token", "vc[pkai]_[A-Za-z0-9]{24,80}"),
  prefixed("telegram token", "\\d{8,10}:AA[A-Za-z0-9_-]{32,34}(?![A-Za-z0-9_-])"),
  prefixed("age key", "AGE-SECRET-KEY-1[A-Z0-9]{58}"),
  prefixed("azure key", "AccountKey=[A-Za-z0-9+/]{40,100}={0,2}"),
  prefixed("json web token", "eyJ[A-Za-z0-9_-]{8,2000}\\.eyJ[A-Za-z0-9_-]{8,4000}\\.[A-Za-z0-9_-]{10,1000}"),
];

const QUOTED_OR_WORD = "(?<secret>\"[^\"\\s]{4,200}\"|'[^'\\s]{4,200}'|`[^`\\s]{4,200}`|[^\\s\"'`,;<>]{4,200})";
const KEY_NAME =
  "(?:api|access|secret|auth|private|signing|encryption|client|session|refresh|bearer|service|account|deploy|master|root|production|prod|shared)[ _-]?(?:access[ _-]?)?(?:key|token|secret)s?|(?:[\\w-]{0,30}[_-])?(?:token|secret|apikey)|credentials?";
const ASSIGNED: readonly SecretPattern[] = [
  {
    kind: "secret",
    pattern: new RegExp(`(?<![A-Za-z0-9])(?:${KEY_NAME})["'\`]?${BETWEEN}${IS}${QUOTED_OR_WORD}`, "gi"),
    accept: (value) => looksLikeKey(value.replace(/^["'`]|["'`]$/g, "")),
  },
  {
    kind: "bearer token",
    pattern: /\b(?:bearer|basic|token) (?<secret>[A-Za-z0-9_.~+/-]{16,2000}={0,2})(?![A-Za-z0-9])/gi,
    accept: (value) => /\d/.test(value) && /[A-Za-z]/.test(value) && entropy(value) >= 3.3 && !isPlaceholder(value),
  },
  {
    kind: "password",
    pattern: /\b[a-z][a-z0-9+.-]{1,20}:\/\/[^\s:/@"'`<>]{0,100}:(?<secret>[^\s/"'`<>]{3,200})(?=@[\w.[-])/gi,
    accept: (value) => !isPlaceholder(value) && !/^(?:pass|password|pwd|secret)$/i.test(value),
  },
  {
    kind: "password",
    pattern:
      /\b(?:AWS_SECRET_ACCESS_KEY|aws_secret_access_key)["']? ?[:=] ?["']?(?<secret>[A-Za-z0-9/+]{40})(?![A-Za-z0-9/+=])/g,
  },
];

const digitsOf = (text: string): string => text.replace(/\D/g, "");

/** The check digit of card numbers. */
function passesLuhn(number: string): boolean {
  const digits = [...digitsOf(number)].reverse().map(Number);
  const sum = digits.reduce(
    (total, digit, at) => total + (at % 2 === 0 ? digit : digit > 4 ? digit * 2 - 9 : digit * 2),
    0,
  );
  return sum % 10 === 0;
}

/** The check digits of bank accounts. */
function passesIban(account: string): boolean {
  const plain = account.replace(/ /g, "").toUpperCase();
  const turned = plain.slice(4) + plain.slice(0, 4);
  let rest = 0;
  for (const character of turned) {
    const value = Number.parseInt(character, 36);
    rest = (rest * (value > 9 ? 100 : 10) + value) % 97;
  }
  return rest === 1;
}

const NUMBERS: readonly SecretPattern[] = [
  {
    kind: "card number",
    pattern:
      /(?<![\w.-])(?:4\d{3}|5[1-5]\d\d|2[2-7]\d\d|6(?:011|5\d\d|4[4-9]\d)|35(?:2[89]|[3-8]\d))([ .-]?)\d{4}\1\d{4}\1\d{1,7}(?![\w-]|\.\d)|(?<![\w.-])3[47]\d\d([ -]?)\d{6}\2\d{5}(?![\w-]|\.\d)/g,
    accept: (number) =>
      /^(?:.{13}|.{15,19}|.{16,23})$/.test(number) &&
      digitsOf(number).length >= 13 &&
      new Set(digitsOf(number)).size > 1 &&
      passesLuhn(number),
  },
  {
    kind: "bank account",
    pattern: /(?<![A-Za-z0-9])[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){2,7}(?: ?[A-Z0-9]{1,3})?(?![A-Za-z0-9])/g,
    accept: (account) => account.replace(/ /g, "").length >= 15 && passesIban(account),
  },
  {
    kind: "social security number",
    pattern: /\b(?:ssn|social(?: security)?(?: number)?)(?: is)?[:= ]{1,3}(?<secret>\d{3}-?\d{2}-?\d{4})(?!\d)/gi,
  },
];

const PEM: SecretPattern = {
  kind: "private key",
  pattern: /-----BEGIN (?:[A-Z0-9]{1,20} ){0,3}PRIVATE KEY(?: BLOCK)?-----/g,
};

/** What tells that a text may hold a secret. */
interface Sign {
  test(text: string): boolean;
}

/** Of those that are found by it, the shortest: "sk_live_" and ten more. */
const SHORTEST_TOKEN = 18;
const IN_TOKENS = new Uint8Array(128);
for (const character of "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_.=+/-")
  IN_TOKENS[character.charCodeAt(0)] = 1;

/** A run of characters as tokens have them. By a loop, as an expression would begin anew at each letter of each word. */
const LONG_RUN: Sign = {
  test(text) {
    let run = 0;
    for (let at = 0; at < text.length && run < SHORTEST_TOKEN; at++)
      run = IN_TOKENS[text.charCodeAt(at)] === 1 ? run + 1 : 0;
    return run === SHORTEST_TOKEN;
  },
};

/** Patterns that can only fit where a sign of them stands: most texts are passed over by one look for each group. */
export interface SecretGroup {
  readonly sign: Sign;
  readonly patterns: readonly SecretPattern[];
}

export const SECRET_GROUPS: readonly SecretGroup[] = [
  { sign: /-----BEGIN /, patterns: [PEM] },
  { sign: LONG_RUN, patterns: PREFIXED },
  { sign: /xox[abeoprs]-|xapp-/, patterns: SLACK },
  {
    sign: /token|secret|key|credential|bearer|basic|:\/\//i,
    patterns: ASSIGNED,
  },
  {
    sign: /pass(?:w|phr|code|e?\b)|pass phr|pwd|pw\b|p@ss|kennwort|contrase|senha|wachtwoord|lösenord|hasło|пароль|密[码碼]|パスワード|비밀번호|wi-?fi|wlan|(?:logins?|credentials?|account):/i,
    patterns: PASSWORDS,
  },
  { sign: /pin\b|cv[vc]|code|otp|phrase|words|seed|secret |passport/i, patterns: CODES },
  { sign: /curl|wget|http|mysql|mariadb|mongo|sshpass/, patterns: TYPED },
  { sign: /\d{4}|ssn|social/i, patterns: NUMBERS },
];
