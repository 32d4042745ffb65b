import { appendFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { openVarve, parseContextSnapshot, type SnapshotOptions, type VarveError, violations } from "../src/index.js";
import { messageText } from "../src/message/content.js";
import type { Message } from "../src/message/types.js";
import { conversation } from "./support/conversation.js";
import { startScript, succeed } from "./support/typescript-process.js";

const root = mkdtempSync(join(tmpdir(), "varve-snapshots-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));
const SESSION = "user:agent:1";

/** An agent that talks for so many turns and is gone; its store goes with it. */
async function talk(turns: number, snapshots: SnapshotOptions) {
  const session = await (await openVarve({ snapshots })).session(SESSION, { window: 4_000, strategy: "hierarchical" });
  for (let turn = 0; turn < turns; turn++) {
    await session.append(conversation(1, { from: turn }));
    await session.view();
  }
  const folder = join(snapshots.folder!, "user%3aagent%3a1");
  return { folder, files: readdirSync(folder).sort() };
}

async function restart(snapshots: SnapshotOptions) {
  const warnings: VarveError[] = [];
  const varve = await openVarve({ snapshots, onWarning: (warning) => warnings.push(warning) });
  const session = await varve.session(SESSION, { window: 4_000, strategy: "hierarchical" });
  const { messages } = await session.view();
  return { varve, session, warnings, text: messages.map(messageText).join("\n") };
}

describe("snapshots", () => {
  it("a hot restart in a second process recalls the context that the first, killed, left in a snapshot", async () => {
    const folder = join(root, "two-processes");
    const first = startScript("snapshot-process.ts", [folder, "talk"]);
    await first.said("ready");
    first.kill();
    expect(await first.ended).toBeNull();
    const second = startScript("snapshot-process.ts", [folder, "recall"]);
    await succeed([second]);
    const { recalled, entries, messages } = JSON.parse(second.lines[0]!) as {
      recalled: { file: string; messages: number; refused: unknown[] };
      entries: number;
      messages: Message[];
    };
    expect(recalled).toMatchObject({ messages: entries, refused: [] });
    const text = messages.map(messageText).join("\n");
    expect(text).toContain("Please change value29_1");
    expect(text).toContain("port 4029 stays");
    expect(text).toMatch(/\n\[e\d+-e\d+\]\n/);
    expect(violations(messages, "anthropic")).toEqual([]);
  });

  it("are written every so many messages, private, each in its format with a seal, and the latest are kept", async () => {
    const { folder, files } = await talk(40, { folder: join(root, "format"), every: 8, keep: 2 });
    expect(files).toHaveLength(2);
    for (const file of files) {
      const [snapshot, seal] = readFileSync(join(folder, file), "utf8").split("\n");
      const parsed = parseContextSnapshot(JSON.parse(snapshot!));
      expect(Object.keys(JSON.parse(snapshot!)).sort()).toEqual([
        "messages",
        "summary",
        "timestamp",
        "tokenCount",
        "version",
      ]);
      expect(parsed.tokenCount).toBeLessThanOrEqual(4_000);
      expect(JSON.parse(seal!)).toMatchObject({ algorithm: "sha256", digest: expect.stringMatching(/^[0-9a-f]{64}$/) });
      expect(statSync(join(folder, file)).mode & 0o777).toBe(0o600);
    }
  });

  it.each<[string, (path: string) => void]>([
    ["cut short", (path) => writeFileSync(path, readFileSync(path, "utf8").slice(0, -200))],
    ["changed", (path) => writeFileSync(path, readFileSync(path, "utf8").replace("port", "fort"))],
    ["empty", (path) => writeFileSync(path, "")],
    [
      "sealed otherwise",
      (path) => writeFileSync(path, readFileSync(path, "utf8").replace(/"digest":"..../, '"digest":"0000')),
    ],
  ])("one that is %s is refused, with its name, and the one before it is used", async (name, damage) => {
    const options = { folder: join(root, `damaged ${name}`), every: 4 };
    const { folder, files } = await talk(12, options);
    damage(join(folder, files.at(-1)!));
    const { session, warnings, text } = await restart(options);
    expect(warnings).toMatchObject([{ code: "store-damaged", details: { file: join(folder, files.at(-1)!) } }]);
    expect(session.recalled).toMatchObject({ file: join(folder, files.at(-2)!), refused: warnings });
    expect(text).toContain("value10_1");
    expect(text).not.toContain("value11_1");
  });

  it("that are not signed with the key are refused, and so are signed ones without it", async () => {
    const options = { folder: join(root, "signed"), every: 4 };
    await talk(6, options);
    const keyed = await restart({ ...options, key: "secret" });
    expect(keyed.session.recalled).toBeUndefined();
    expect(keyed.warnings).toHaveLength(3);
    const signed = { folder: join(root, "really-signed"), every: 4, key: "secret" };
    await talk(6, signed);
    expect((await restart(signed)).session.recalled).toBeDefined();
    expect((await restart({ ...signed, key: "another" })).session.recalled).toBeUndefined();
    expect((await restart({ folder: signed.folder })).session.recalled).toBeUndefined();
  });

  it("go on after a restart, and go with their session when it is deleted", async () => {
    const options = { folder: join(root, "goes-on"), every: 4 };
    const { folder } = await talk(6, options);
    const { varve, session } = await restart(options);
    await session.append(conversation(2, { from: 50 }));
    await varve.close();
    const again = await restart(options);
    expect(again.text).toContain("value51_1");
    await again.varve.delete(SESSION);
    expect(() => readdirSync(folder)).toThrow();
  });

  it("that cannot be written do not fail an append", async () => {
    const blocked = join(root, "blocked");
    appendFileSync(blocked, "a file where the folder should be");
    const warnings: VarveError[] = [];
    const varve = await openVarve({
      snapshots: { folder: blocked, every: 1 },
      onWarning: (each) => warnings.push(each),
    });
    const session = await varve.session(SESSION, { window: 4_000 });
    expect(await session.append(conversation(1))).toHaveLength(4);
    expect(warnings).toMatchObject([{ code: "store-failed" }]);
  });
});
