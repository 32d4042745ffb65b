import { seededRandom } from "./seeded-random.mjs";

const FILES =
  "src/cache/lru.ts src/queue/worker.ts src/auth/token.ts src/http/retry.ts src/billing/invoice.ts src/search/index.ts src/export/csv.ts src/mail/render.ts src/upload/chunk.ts src/session/store.ts".split(
    " ",
  );
const FUNCTIONS =
  "evict enqueue refreshToken backoff totalOf rankHits writeRow renderBody nextChunk loadSession closeAll parseRange mergeRows lockFor".split(
    " ",
  );
const FINDINGS = [
  (f) => `\`${f.call}()\` in ${f.file} walks the whole list on each call; an index by ${f.word} would do.`,
  (f) => `${f.file}:${f.line} swallows the error of \`${f.call}()\`, so a failed ${f.word} looks like an empty one.`,
  (f) =>
    `The timeout of ${f.number} ms in ${f.file} is shorter than the one upstream, which makes every retry pointless.`,
  (f) => `Nothing tests that \`${f.call}()\` gives the ${f.word} back when the connection drops half-way.`,
  (f) => `Rename \`${f.call}\` in ${f.file}: it no longer does what its name says since the ${f.word} moved out.`,
  (f) => `${f.file} builds its query from strings; bind the ${f.word} as a parameter instead.`,
  (f) => `Two callers of \`${f.call}()\` hold the lock of the ${f.word} while they wait for the network.`,
  (f) => `The comment above line ${f.line} of ${f.file} speaks of a ${f.word} that was removed two releases ago.`,
  (f) => `\`${f.call}()\` rounds the ${f.word} twice, so ${f.number}.005 ends up as ${f.number}.01.`,
  (f) => `The feature flag for the ${f.word} is read once at start; switching it off needs a restart of ${f.file}.`,
  (f) => `Logging in ${f.file}:${f.line} prints the whole ${f.word}, which holds an e-mail address.`,
  (f) => `Split ${f.file} (${f.number} lines): \`${f.call}()\` and the handling of the ${f.word} share nothing.`,
  (f) =>
    `A ${f.word} older than ${f.number} days is never cleaned up because \`${f.call}()\` compares local with UTC time.`,
  (f) => `The public type of \`${f.call}()\` promises a ${f.word} but undefined comes back for an empty input.`,
];
const WORDS =
  "lease voucher cursor draft receipt snapshot avatar refund digest ticket ledger header quota shipment coupon".split(
    " ",
  );

/** So many findings of a code review; no two are alike. */
export function reviewItems(size, seed) {
  const random = seededRandom(seed);
  const pick = (list) => list[Math.floor(random() * list.length)];
  const found = new Set();
  while (found.size < size) {
    const fields = { file: pick(FILES), call: pick(FUNCTIONS), word: pick(WORDS) };
    const numbers = { line: 10 + Math.floor(random() * 700), number: 2 + Math.floor(random() * 900) };
    found.add(pick(FINDINGS)({ ...fields, ...numbers }));
  }
  return [...found];
}
