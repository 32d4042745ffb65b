import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { findSecrets, redact } from "./secrets.js";

/** Letters and digits that look drawn by lot, so that no real key stands in this file. */
function drawn(length: number, signs = "a7Kq2Zx9Lm4Rt8Bv3Nw6Yc1Pd5Hs0Gf"): string {
  return Array.from({ length }, (_, at) => signs[(at * 7 + length) % signs.length]).join("");
}
const HEX = "3f9a0c7e15b8d246";
const kindsIn = (text: string): string[] => findSecrets(text).map(({ kind }) => kind);

describe("findSecrets", () => {
  it.each([
    ["aws key id", `key «${"AKIA"}${drawn(16, "ABCDEFGHJKLMNPQRSTUVWXYZ234567")}» here`],
    ["github token", `«${"ghp_"}${drawn(36)}»`],
    ["github token", `«${"github_pat_"}${drawn(60)}»`],
    ["gitlab token", `«${"glpat-"}${drawn(20)}»`],
    ["slack token", `«${"xoxb-"}123456789012-${drawn(24)}»`],
    ["slack token", `the bot has «${"xoxb-"}${drawn(10)}» today`],
    ["slack token", `«${"xapp-1-"}${drawn(10)}»`],
    ["slack webhook", `«https://hooks.slack.com/services/T000/B000/${drawn(24)}»`],
    ["stripe key", `«${"sk_live_"}${drawn(24)}»`],
    ["openai key", `«${"sk-proj-"}${drawn(48)}»`],
    ["anthropic key", `«${"sk-ant-"}api03-${drawn(60)}»`],
    ["google key", `«${"AIza"}${drawn(35)}»`],
    ["huggingface token", `«${"hf_"}${drawn(34)}»`],
    ["npm token", `«${"npm_"}${drawn(36)}»`],
    ["sendgrid key", `«${"SG."}${drawn(22)}.${drawn(43)}»`],
    ["json web token", `«${"eyJ"}${drawn(20)}.${"eyJ"}${drawn(40)}.${drawn(43)}»`],
    ["bearer token", `Authorization: Bearer «${drawn(40)}»`],
    ["password", "postgres://ann:«s3cr3tpw»@db.internal:5432/app"],
    ["password", "postgres://ann:«p@ssw0rd»@db/x"],
    ["password", "DB_PASSWORD=«hunter2»"],
    ["password", 'password: «"correcthorse"»'],
    ["password", "My password is «hunter22!»"],
    ["password", "the root password for the staging server is «tr0ub4dor&3»."],
    ["password", "pass: «hunter2»"],
    ["password", "my pw is «hunter2»"],
    ["password", "password «hunter2!»"],
    ["password", "Password\n\n«hunter2!»"],
    ["password", "The wifi password: «sunshine»"],
    ["password", 'password is «"hunter two"»'],
    ["password", "the root password was set to «New456!»"],
    ["password", "Das Passwort lautet «Geheim123!»"],
    ["password", "le mot de passe est «Soleil99!»"],
    ["password", "contraseña: «Perro$123»"],
    ["password", "密码是 «abc12345!»"],
    ["password", "login: ann / «Tr0ub4dor&3»"],
    ["password", "curl -u ann:«s3cretPass» https://example.org"],
    ["password", "mysql -p«S3cret!» -u root"],
    ["password", "sshpass -p '«S3cret»' ssh host"],
    ["password", "export DB_PASSWORD=«correcthorsebattery»"],
    ["password", "DB_PASSWORD=«sunshine» npm start"],
    ["password", "user=ann password=«sunshine» host=db"],
    ["password", "spring.datasource.password=«sunshine»"],
    ["password", "Password: «sunshine»"],
    ["password", "password: «Sunshine», user: ann"],
    ["password", "the password is «sunshine»"],
    ["password", "The admin password is «swordfish», tell nobody."],
    ["password", "The password for the router is «letmein» and the user is ann."],
    ["password", "The admin password was changed to «swordfish»."],
    ["password", "PGPASSWORD=«swordfish» psql"],
    ["password", "passphrase: «correct horse battery staple»"],
    ["password", "My passphrase is «correct-horse-battery-staple»."],
    ["password", "password: «sunshine»,\nuser: ann"],
    ["password", "db:\n  password: «sunshine» # of the test"],
    ["password", "user: ann password: «sunshine» host: db"],
    ["password", "{ user: ann, password: «sunshine» }"],
    ["password", "Password: «Sunshine». Keep it."],
    ["password", "password = «sunshine»"],
    ["pin", "the door code is «4821»"],
    ["pin", "the garage access code is «4821»"],
    ["pin", "the access code for the garage is «4821»"],
    ["pin", "Code for our office: «4821»"],
    ["pin", "My code for the gate of the garden is «4821»"],
    ["pin", "The code for the back gate is «4821»."],
    ["pin", "my pin is «4 7 1 1»"],
    ["pin", "PIN «4711»"],
    ["pin", "the cvv is «123»"],
    ["recovery code", "2FA backup codes: «1234-5678 8765-4321»"],
    ["seed phrase", `seed phrase: «${"river stone apple ".repeat(4).trim()}»`],
    ["card number", "card «４１１１１１１１１１１１１１１１»"],
    ["card number", "«4111.1111.1111.1111»"],
    ["secret", `CLIENT_SECRET = «"${drawn(32)}"»`],
    ["secret", `The API key for the weather service is «${drawn(24)}»`],
    ["secret", `"access_token": «"${drawn(40)}"»`],
    ["pin", "the PIN for my card is «4711»"],
    ["card number", "card «4111 1111 1111 1111», exp 12/29"],
    ["card number", "«5500-0055-5555-5559»"],
    ["card number", "«378282246310005»"],
    ["bank account", "IBAN «DE89 3704 0044 0532 0130 00»"],
    ["social security number", "my SSN is «078-05-1120»"],
  ])("masks a %s and nothing around it: %s", (kind, marked) => {
    const text = marked.replace(/[«»]/g, "");
    expect(kindsIn(text)).toEqual([kind]);
    expect(redact(text, findSecrets(text))).toBe(marked.replace(/«.*»/s, `[secret: ${kind}]`));
  });

  it.each([
    ["a commit", `commit ${drawn(40, HEX)} fixes it`],
    ["a short commit", "see a1b2c3d"],
    ["a UUID", "id 3f2b8c1e-9d4a-4b6f-8e21-7c5d0a9b1e34"],
    ["a version", "upgrade to 1.2.3-beta.4+build.5678"],
    ["a digest", `sha256:${drawn(64, HEX)}`],
    ["an integrity", `"integrity": "sha512-${drawn(86)}=="`],
    ["an image", `![x](data:image/png;base64,${drawn(400)})`],
    ["a type", "interface Login { password: string; token: string }"],
    ["an expression", "const password = req.body.password;"],
    ["a call", "const token = await getAccessToken(clientId, scope2024);"],
    ["an environment variable", "apiKey: process.env.OPENAI_API_KEY"],
    ["a reference", "PASSWORD=$" + "{DB_PASSWORD}"],
    ["a placeholder", "api_key = <your-api-key-goes-here-1>"],
    ["a placeholder in words", "API_KEY=your_api_key_here_12345"],
    ["a masked value", "password: ********"],
    ["a count", "max_tokens=4096, token: 12"],
    ["a primary key", "primary key: user_id_2024_with_a_long_name"],
    ["a talk about passwords", "The password is wrong, I must reset the password."],
    ["where a password is kept", "The password is stored in the vault. The password is in the safe."],
    ["how a password is", "The password is too short. The password is secret. The passphrase is very long indeed."],
    [
      "what became of a password",
      "The password was changed to default, and reset to comply with the rule. The password is lost, and the other password is expired.",
    ],
    ["a field of a form", "Password: required\nPassword: hidden\npassword: optional"],
    ["a parameter", "connect(user=name, password=password); password = hashed_password"],
    ["a member", "password: hashedPassword, passphrase = settings.phrase"],
    ["a string of a program", 'if (raw.includes("password = ")) throw new Error("no")'],
    ["a text put together", 'log("password: " + value + " end")'],
    ["other codes", "the error code is 4821, the zip code is 10115, exit code: 137"],
    ...[
      "The postal code for our office is 94110.",
      "The zip code of the house is 94110",
      "The error code for the access log is 503.",
      "The return code for the door sensor is 255.",
      "The exit code of the unlock script is 127",
      "The status code for the door is 401",
      "The country code for my phone is 049",
      "Area code to my phone: 415",
      "Product code of the bike is 4711",
      "The promo code for the bike shop is 2024",
      "The code for the lock screen is 200",
      "The building code is 2021",
      "The office code is 1200, the phone code is 0044",
    ].map((text): [string, string] => ["a code that opens nothing", text]),
    ...[
      "Forgot password: click the link below",
      "Forgot password: click",
      "Reset password: users get a mail with a link",
      "fix: password: handle empty input",
      "fix: password: trim",
      "TODO password: rename this column",
      "Two things about the password: first, rotate it; second, share it",
      "Question on the wifi password: guests keep asking",
      "The wifi password is whatever the box says",
    ].map((text): [string, string] => ["a heading", text]),
    ...["LDAP", "obsolete", "overkill", "legacy", "separate", "Bitwarden", "hideous"].map((word): [string, string] => [
      "what is said of a password",
      `The admin password is ${word}.`,
    ]),
    ...[
      "password = StringField",
      "password: PasswordField",
      "{ username: uname, password: pword, }",
      "const { password: given } = form",
      "password=secret_name",
      "password = getenv",
    ].map((text): [string, string] => ["a program", text]),
    ["a rule about tokens", "access token: expires after one hour"],
    ["a width", "The pin is 1024 wide"],
    ["a pin of a board", "pin: 1234 is the header pin"],
    ["a way to hash", "store the password argon2id hashed, or sha256"],
    ["a message", 'password: "must be at least 8 characters long"'],
    ["a test's outcome", "pass: 12, fail: 3; pass is 100%"],
    ["a policy", "The password policy is 12 characters, the password manager is 1Password"],
    ["a seed", "the seed phrase has twelve words"],
    ["a phone number", "call +49 170 1234567 or 555-1234"],
    ["an order number", "order 4111111111111112"],
    ["a timestamp", "1700000000000 and 20240501120000"],
    ["an author", "git@github.com:acme/app.git, https://ann@example.com/x"],
    ["a kebab name", "sk-button-primary-large-outline-hover"],
    ["a model of a token", `${"xoxb-"}your-slack-token-goes-here-1`],
    ["a link after a name", "appid=my_api_key' from origin 'http://localhost:3000/v2/a1b2c3d4'"],
    ["an empty query", "http://10.0.0.1:88/?username=&password=&namespace=public1"],
    ["a path", "src/secrets/token-store/index.ts"],
    ["a link", "https://example.com:8080/login@home"],
  ])("passes over %s", (_, text) => {
    expect(kindsIn(text)).toEqual([]);
  });

  it("takes a private key whole, and one that breaks off to the end", () => {
    const key = `-----BEGIN ${"RSA PRIVATE"} KEY-----\n${drawn(64)}\n-----END ${"RSA PRIVATE"} KEY-----`;
    expect(redact(`a ${key} b`, findSecrets(`a ${key} b`))).toBe("a [secret: private key] b");
    const broken = key.slice(0, 60);
    expect(redact(`a ${broken}`, findSecrets(`a ${broken}`))).toBe("a [secret: private key]");
  });

  it("finds both values where one took the other's place", () => {
    const text = "The admin password changed from Old123! to New456!";
    expect(redact(text, findSecrets(text))).toBe(
      "The admin password changed from [secret: password] to [secret: password]",
    );
  });

  it("leaves the words around a secret", () => {
    const text = "The root password for staging is tr0ub4dor&3. Use it with care.";
    expect(redact(text, findSecrets(text))).toBe(
      "The root password for staging is [secret: password]. Use it with care.",
    );
  });

  it("leaves nothing to find in a redacted text", () => {
    const secrets = fc.constantFrom(
      `${"ghp_"}${drawn(36)}`,
      "DB_PASSWORD=hunter2",
      "4111 1111 1111 1111",
      `Bearer ${drawn(40)}`,
    );
    const texts = fc
      .array(fc.oneof(fc.string({ maxLength: 20 }), secrets), { maxLength: 6 })
      .map((parts) => parts.join(" "));
    fc.assert(
      fc.property(texts, (text) => {
        const clean = redact(text, findSecrets(text));
        expect(clean).not.toMatch(/ghp_a?[A-Za-z0-9]{30}/);
        expect(findSecrets(clean).filter(({ kind }) => kind !== "password")).toEqual([]);
      }),
    );
  });

  it.each([
    ["dashes", "-".repeat(1_000_000)],
    ["words", "password for the ".repeat(60_000)],
    ["changes", "password was set from aaaa ".repeat(40_000)],
    ["commands", "curl mysql -p ".repeat(70_000)],
    ["phrases", "seed phrase: apple apple ".repeat(40_000)],
    ["names", "my_token_secret_key-".repeat(50_000)],
    ["keys that begin", `-----BEGIN ${"PRIVATE"} KEY----- `.repeat(30_000)],
    ["digits", "4111 ".repeat(200_000)],
    ["letters", "DE89".repeat(250_000)],
    ["links", "https://a:".repeat(100_000)],
    ["tokens", "eyJ".repeat(300_000)],
  ])("takes little time for a megabyte of %s", (_, text) => {
    const start = process.cpuUsage();
    findSecrets(text);
    expect(process.cpuUsage(start).user / 1_000).toBeLessThan(2_500);
  });
});
