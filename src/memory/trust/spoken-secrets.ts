import { isPhrase, isSaidWord, isValueOfName, isWord } from "./plain-passwords.js";
import { isPlaceholder, looksLikeKey, looksLikePassword, type SecretPattern } from "./secret-shapes.js";

/**
 * Secrets as people say and type them: "the root password was set to …", "mein Passwort ist …", "curl -u ann:…". What
 * stands after a name without a sign between them has to look like a password itself.
 */
const QUOTED_OR_WORD =
  "(?<secret>\"[^\"\\n]{4,80}\"|'[^'\\n]{4,80}'|`[^`\\n]{4,80}`|“[^”\\n]{4,80}”|[^\\s\"'`“,;<>]{4,200})";
/** What has a line before it, as in DB_PASSWORD, begins there too. */
const START = "(?<![\\p{L}\\p{N}])";
const PASSWORD_NAME =
  "(?:(?:pg)?password|passwd|passphrase|passcode|pwd|p@ssword|passwort|kennwort|mot de passe|contraseña|contrasena|senha|wachtwoord|lösenord|hasło|пароль|密码|密碼|パスワード|비밀번호|(?:wi-?fi|wlan)[ -](?:key|code))";
const SHORT_NAME = "(?:pass|pw)";
/** "The root password for the staging server is …". */
export const BETWEEN = "(?: (?:for|of|to|on|at|in|from)(?: \\w[\\w.'-]{0,39}){1,10}?)?";
const CHANGED = "(?: (?:was|is|has been|got|were))?(?: now| just)? (?:set|changed|reset|updated|rotated)";
/** What stands between a name and its value. */
export const IS = "(?: is(?: now)?:? | ?[:=：]{1,2} ?| ?=> ?)";
const SAYS = `(?:${IS}| (?:lautet|ist|est|es|é|is|är|jest):? | ?(?:是|为|為|は|—|–) ?| - )`;

/** Where nothing but a value stands after a name: a word that more words follow begins a sentence about the password. */
const ALONE =
  "(?=,?[ \\t\\r]*(?:\\n|$)|[ ,;]{1,3}[\"']?[\\w-]{1,40}[\"']? ?[:=]|,? ?\\}(?! ?=)|[ \\t]+(?:#|//)|(?<=\\.)\\s)";
const TOPIC = "(?<!\\b(?:forgot|forgotten|todo|fix:|feat:|about|about the) )";
const WORD_OVER = "(?=[.,;!?)]|\\s*(?:\\n|$)| [(-]| (?:and|but|so|or|for|on|at|in|by|if|now|too|please|thanks)\\b)";
const SENTENCE_OVER = "(?=[.!](?:\\s|$)|\\s*$|[,;\\n]| and\\b)";

const WORDY =
  /\b(?:required|must|invalid|wrong|incorrect|enter|your|please|is|are|cannot|should|match|short|long|missing)\b/i;
/** What stands between the end of one quotation and the beginning of the next: `"password = ") + name + "…"`. */
const BETWEEN_QUOTES = /^\s|\s$|[()[\]{};]/;
const unquoted = (value: string): string => value.replace(/^["'`“]|["'`”]$/g, "");

/** A few words in quotes are a password; a sentence in quotes is a message about one. */
const isSaid = (value: string): boolean => {
  const plain = unquoted(value);
  if (!plain.includes(" ")) return looksLikePassword(value);
  return plain.split(" ").length <= 4 && !WORDY.test(plain) && !isPlaceholder(plain) && !BETWEEN_QUOTES.test(plain);
};

const NO_PASSWORD = /^(?:sha|md|bcrypt|argon|pbkdf|scrypt|utf|base|oauth|iso|rfc|v)-?\d/i;
/** Letters and digits together, as no plain word has them. */
const isMixed = (value: string): boolean =>
  /\p{L}/u.test(value) && /\d/.test(value) && !NO_PASSWORD.test(value) && looksLikePassword(value);
const isBare = (value: string): boolean =>
  isMixed(value) && value.length >= 7 && !/^[\w.-]+[/\\]|\.\w{1,4}$/.test(value);

const password = (pattern: string, accept: (value: string) => boolean): SecretPattern => ({
  kind: "password",
  pattern: new RegExp(pattern, "giu"),
  accept,
});

export const PASSWORDS: readonly SecretPattern[] = [
  password(`${START}${PASSWORD_NAME}["'\`]?${BETWEEN}${SAYS}${QUOTED_OR_WORD}`, isSaid),
  password(`${START}${PASSWORD_NAME}=(?<secret>[\\p{L}_.-]{4,100})(?=[\\s&,;]|$)`, isValueOfName),
  password(
    `${START}${TOPIC}${PASSWORD_NAME}["'\`]?${BETWEEN}(?: ?[:：]{1,2} ?| =>? )(?<secret>[\\p{L}_.-]{4,100})${ALONE}`,
    isWord,
  ),
  password(`${START}${PASSWORD_NAME}${BETWEEN} is(?: now)? (?<secret>[\\p{L}_-]{4,40})${SENTENCE_OVER}`, isSaidWord),
  password(
    `${START}${PASSWORD_NAME}${BETWEEN}${CHANGED}(?: from [^\\s]{4,100})? to (?<secret>[\\p{L}_-]{4,40})${SENTENCE_OVER}`,
    isWord,
  ),
  password(
    `${START}pass ?phrase["'\`]?${BETWEEN}${IS}(?<secret>\\p{L}{3,20}(?:[ -]\\p{L}{2,20}){2,9})(?=[.!,;]|\\s*$|\\n)`,
    isPhrase,
  ),
  password(`${START}${PASSWORD_NAME}${BETWEEN}${CHANGED} from ${QUOTED_OR_WORD}`, isSaid),
  password(`${START}${PASSWORD_NAME}${BETWEEN}${CHANGED}(?: from [^\\s]{4,100})? to ${QUOTED_OR_WORD}`, isSaid),
  password(`${START}${SHORT_NAME}(?: is |: ?| ?= ?)${QUOTED_OR_WORD}`, (value) => isMixed(unquoted(value))),
  password(`${START}(?:${PASSWORD_NAME}|${SHORT_NAME})\\s{1,4}${QUOTED_OR_WORD}`, (value) => isBare(unquoted(value))),
  password(
    `${START}(?:wi-?fi|wlan)(?:[ -]network)? (?:password|passwort|key)${IS}(?<secret>[\\p{L}\\p{N}_-]{6,63})${WORD_OVER}`,
    (value) =>
      /\d/.test(value) ||
      (isWord(value) &&
        !/(?:ing|ed)$|^(?:wrong|missing|required|unknown|secret|private|invalid|correct|different)$/i.test(value)),
  ),
  password(`${START}(?:logins?|credentials?|account): ?[\\w.@+-]{2,60} ?[/|] ?${QUOTED_OR_WORD}`, isMixed),
];

const COMMANDS: readonly SecretPattern[] = [
  {
    kind: "password",
    pattern:
      /\b(?:curl|wget|https?)\b[^\n]{0,200}?\s(?:-u|--user|--proxy-user)[ =]?["']?[^\s:"']{1,60}:(?<secret>[^\s"'@]{3,100})/g,
    accept: (value) => !isPlaceholder(value) && !/^[$<{]|^(?:pass|password|pwd|secret)$/i.test(value),
  },
  {
    kind: "password",
    pattern:
      /\b(?:mysql|mysqldump|mysqladmin|mariadb|mongosh|mongodump)\b[^\n]{0,200}?\s(?:-p|--password[= ])["']?(?<secret>[^\s"'-][^\s"']{3,100})/g,
    accept: looksLikePassword,
  },
  {
    kind: "password",
    pattern: /\bsshpass -p ?["']?(?<secret>[^\s"']{3,100})/g,
    accept: (value) => !isPlaceholder(value),
  },
];

/** A number is a pin where the sentence is over after it; "the pin is 1024 wide" speaks of another. */
const OVER = "(?=$|[.,;!?)\\n]|\\s*$|\\s+(?:and|or|but|for|please|now|so|exp)\\b)(?![.-]\\d)";
/** What a code is named for, and what else it may open: a building code and an office code are others. */
const LOCK =
  "(?:door|gate|entry|entrance|alarm|garage|lock|locker|safe|keypad|unlock|voicemail|security|apartment|house|bike|suitcase)";
const OPENED = `(?:${LOCK}|building|office|phone)`;
/** A code of another kind has a word before it: the zip code, the error code. */
const MERE = "(?<=(?:^|[.!?:,;(]\\s?|\\b(?:the|my|our|your|his|her|their|new|old|current|secret|main|access)\\s))";
const FOR_LOCK = `${MERE}code (?:for|of|to) (?:the |my |our )?(?:\\w+ )?${OPENED}(?: (?:of|at|in|to)(?: [\\w'-]{1,30}){1,5}?)?`;
const NUMBER = "(?<secret>\\d{3,8}|\\d(?: \\d){3,7})";

export const CODES: readonly SecretPattern[] = [
  {
    kind: "pin",
    pattern: new RegExp(
      `\\b(?:${FOR_LOCK}|(?:pin|pin code|pin number|${LOCK}(?: access)? code|one[- ]time code|2fa code|otp)(?: (?:for|of|to)(?: [\\w'-]{1,30}){1,6}?)?)(?: is(?: now)?:? | ?[:=] ?)${NUMBER}${OVER}`,
      "gim",
    ),
  },
  { kind: "pin", pattern: new RegExp(`\\bPIN ${NUMBER}${OVER}`, "gm") },
  { kind: "pin", pattern: /\bcv[vc]2?(?: code| number)?(?: is(?: now)?)?[:= ]{1,3}(?<secret>\d{3,4})(?!\d|[.-]\d)/gi },
  {
    kind: "recovery code",
    pattern:
      /\b(?:2fa|mfa|backup|recovery)(?: backup| recovery)? codes?(?: are| is)?[: ]{1,3}(?<secret>[a-z0-9]{4,8}-[a-z0-9]{4,8}(?:[ ,]{1,3}[a-z0-9]{4,8}-[a-z0-9]{4,8}){0,15})/gi,
    accept: (value) => /\d/.test(value),
  },
  {
    kind: "seed phrase",
    pattern:
      /\b(?:seed|recovery|mnemonic|backup|wallet)[ -](?:phrase|words|seed)(?: is| are)?[: ]{1,3}(?<secret>[a-z]{3,8}(?: [a-z]{3,8}){11,23})(?![a-z])/gi,
  },
  {
    kind: "secret",
    pattern: /\bsecret (?<secret>[A-Za-z0-9/+]{40})(?![A-Za-z0-9/+=])/g,
    accept: looksLikeKey,
  },
  {
    kind: "passport number",
    pattern: /\bpassport (?:number|no\.?)(?: is)?[: ]{1,2}(?<secret>[A-Z0-9]{6,10})(?![A-Za-z0-9])/g,
    accept: (value) => /\d/.test(value),
  },
];

export const TYPED: readonly SecretPattern[] = COMMANDS;
