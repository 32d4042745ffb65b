import { isPlaceholder } from "./secret-shapes.js";

/**
 * Passwords that are plain words. By themselves they look like any other word, so that what is said around them tells:
 * "the password is sunshine" names one, "the password is wrong" says how it is.
 */

/** What was done to something, or can be. */
const PARTICIPLE = /(?:ed|ing|able|ible|less|tten|oken|olen|nown)$/i;
/** How a password is, where it is kept, and what takes its place. */
const STATE = new Set(
  (
    "wrong correct incorrect right fine good okay weak strong short long secure insecure safe unsafe valid invalid " +
    "mandatory optional empty blank public private secret clear plain plaintext old different same ready easy hard simple " +
    "complex random unique temporary permanent default gone lost kept sent held here there where what which below above " +
    "inside elsewhere everywhere nowhere somewhere necessary personal important sensitive case-sensitive confidential " +
    "obvious better longer shorter stronger weaker enough also always never only still just very quite really often " +
    "usually probably maybe perhaps then your yours mine ours theirs that this those these with from under over next " +
    "must should shall will would could cannot have does been please enter type nothing something anything everything " +
    "leave check look find contact given written shown minimum maximum length unset read-only yes ldap " +
    "kerberos okta oauth saml passkey passkeys yubikey bitwarden lastpass keepass dashlane keychain bcrypt argon scrypt pbkdf " +
    "faker next-auth"
  ).split(" "),
);
/** What a program writes in the place of a value: a type, or a name that itself speaks of a password. */
const PROGRAM =
  /^(?:string|text|varchar|char|bytes?|bool|boolean|number|integer|object|unknown|never|void|buffer|input|value|field|column|label|body|data|form|args?|argv|params?|props|self|type|mapped|await|async|return|function|const|nullable|secretstr|hidden|required|getenv|getpass|environ|prompt|parsed|generate|pword|passw)$|^(?:secret|passw(?:or)?d|pwd)_(?:name|id|ref|key|path|file|arn|value|field|input|var)$|(?:^|_)(?:pass|passw(?:or)?d|passphrase|passcode|pwd|secret|hash|token|credentials?)$/i;
const TYPE = /\p{Ll}(?:Field|Type|Schema|Input|Column|String|Text|Str|Model|Validator|Provider|Service|Factory)$/u;
const MEMBER = /^[\p{L}_]+(?:\.[\p{L}_]+)+$|^[a-z]+(?:[A-Z][a-z]+)+$/u;

/** A word that is given to a variable or a setting named like a password. */
export const isValueOfName = (value: string): boolean =>
  /\p{L}{2}/u.test(value) && !isPlaceholder(value) && !PROGRAM.test(value) && !TYPE.test(value) && !MEMBER.test(value);

/** A word that stands after the name of a password and a sign, or that a password was set to. */
export const isWord = (value: string): boolean =>
  isValueOfName(value) && !PARTICIPLE.test(value) && !STATE.has(value.toLowerCase());

const QUALITY = /(?:ous|ful|ive|ical|ional)$/;
/** What is said of passwords, but is taken for one where it is given as a value. */
const JUDGED = new Set(
  (
    "obsolete overkill legacy separate history dead fiddly plain-text outdated stale dumb silly stupid crap terrible awful " +
    "great perfect trivial common standard generic identical unclear unsure tricky ascii english german french alphanumeric " +
    "numeric local global internal external"
  ).split(" "),
);

/** A word that a password is said to be. One with a capital is as likely the name of what takes its place. */
export const isSaidWord = (value: string): boolean =>
  isWord(value) && value === value.toLowerCase() && !QUALITY.test(value) && !JUDGED.has(value);

/** Words of a sentence, which a phrase that was drawn by lot does not have. */
const OF_A_SENTENCE =
  /(?:^|[ -])(?:is|are|was|be|the|an?|in|on|of|to|for|at|by|it|its|and|or|not|no|too|very|we|you|they|he|she|i|my|our|your|has|have|must|should|can|will|with|from|that|this|which|who|if|when|as|so|please)(?=$|[ -])/i;

/** Words that make up a passphrase. */
export const isPhrase = (value: string): boolean =>
  !isPlaceholder(value) && !OF_A_SENTENCE.test(value) && !PARTICIPLE.test(value.split(/[ -]/)[0] ?? "");
