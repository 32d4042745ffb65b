/** Code, data and logs, each of 200 tokens or more. */
const HEX = "0123456789abcdef";
const BASE64 = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/** Characters drawn from an alphabet by a fixed linear congruence: noise, and the same noise in every run. */
export function noise(alphabet: string, length: number, seed = 1): string {
  let state = seed;
  return Array.from({ length }, () => {
    state = (state * 1664525 + 1013904223) % 4294967296;
    return alphabet[Math.floor((state / 4294967296) * alphabet.length)];
  }).join("");
}

const lines = (count: number, line: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => line(index)).join("\n");

const records = Array.from({ length: 12 }, (_, index) => ({
  id: 1000 + index * 37,
  sku: `LMP-${noise(HEX, 6, index + 3)}`,
  title: ["Desk lamp", "Floor lamp", "Reading light", "Lantern"][index % 4],
  price: { amount: 19.9 + index * 3.25, currency: "EUR" },
  inStock: index % 3 !== 0,
  updatedAt: `2025-03-${10 + index}T08:${20 + index}:05Z`,
}));

export const CODE: Readonly<Record<string, string>> = {
  TypeScript: `import { readFile } from "node:fs/promises";
import type { Logger } from "./logger.js";

export interface RetryOptions {
  readonly attempts: number;
  readonly delayMs: number;
  readonly signal?: AbortSignal;
}

/** Calls an operation again while it fails, waiting twice as long each time. */
export async function retry<T>(operation: () => Promise<T>, { attempts, delayMs, signal }: RetryOptions): Promise<T> {
  let lastError: unknown;
  for (let attempt = 0; attempt < attempts; attempt++) {
    signal?.throwIfAborted();
    try {
      return await operation();
    } catch (error) {
      lastError = error;
      await new Promise((resolve) => setTimeout(resolve, delayMs * 2 ** attempt));
    }
  }
  throw new Error(\`Failed after \${attempts} attempts\`, { cause: lastError });
}

export const loadSettings = async (path: string, logger: Logger): Promise<Record<string, string>> => {
  const text = await retry(() => readFile(path, "utf8"), { attempts: 3, delayMs: 50 });
  logger.debug({ path, bytes: text.length }, "settings loaded");
  return Object.fromEntries(text.split("\\n").filter(Boolean).map((line) => line.split("=", 2) as [string, string]));
};`,
  Python: `import argparse
import csv
from collections import defaultdict
from dataclasses import dataclass, field
from pathlib import Path


@dataclass
class Account:
    """One customer's bookings, in the order in which they came."""

    owner: str
    balance: float = 0.0
    history: list[tuple[str, float]] = field(default_factory=list)

    def book(self, note: str, amount: float) -> None:
        if self.balance + amount < 0:
            raise ValueError(f"{self.owner}: balance would be negative ({self.balance + amount:.2f})")
        self.balance += amount
        self.history.append((note, amount))


def read_bookings(path: Path) -> dict[str, Account]:
    accounts: dict[str, Account] = {}
    skipped = defaultdict(int)
    with path.open(newline="", encoding="utf-8") as handle:
        for row in csv.DictReader(handle):
            account = accounts.setdefault(row["owner"], Account(row["owner"]))
            try:
                account.book(row["note"], float(row["amount"]))
            except ValueError as error:
                skipped[str(error)] += 1
    return accounts


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("path", type=Path)
    for name, account in sorted(read_bookings(parser.parse_args().path).items()):
        print(f"{name:<20} {account.balance:>10.2f}")`,
  Go: `package queue

import (
	"context"
	"errors"
	"sync"
	"time"
)

var ErrClosed = errors.New("queue: closed")

// Queue hands out jobs in the order in which they became due.
type Queue struct {
	mu     sync.Mutex
	jobs   []job
	wake   chan struct{}
	closed bool
}

type job struct {
	due time.Time
	run func(context.Context) error
}

func (q *Queue) Push(delay time.Duration, run func(context.Context) error) error {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.closed {
		return ErrClosed
	}
	q.jobs = append(q.jobs, job{due: time.Now().Add(delay), run: run})
	select {
	case q.wake <- struct{}{}:
	default:
	}
	return nil
}

func (q *Queue) Close() {
	q.mu.Lock()
	defer q.mu.Unlock()
	if !q.closed {
		q.closed = true
		close(q.wake)
	}
}`,
  Rust: `use std::collections::HashMap;
use std::fmt;

#[derive(Debug, Clone, PartialEq)]
pub enum Token {
    Number(f64),
    Ident(String),
    Op(char),
}

pub struct Lexer<'a> {
    chars: std::iter::Peekable<std::str::Chars<'a>>,
    seen: HashMap<String, usize>,
}

impl<'a> Lexer<'a> {
    pub fn new(source: &'a str) -> Self {
        Lexer { chars: source.chars().peekable(), seen: HashMap::new() }
    }

    pub fn next_token(&mut self) -> Option<Token> {
        while self.chars.peek().map_or(false, |c| c.is_whitespace()) {
            self.chars.next();
        }
        let first = *self.chars.peek()?;
        if first.is_alphabetic() {
            let mut name = String::new();
            while let Some(&c) = self.chars.peek() {
                if !c.is_alphanumeric() && c != '_' { break; }
                name.push(c);
                self.chars.next();
            }
            *self.seen.entry(name.clone()).or_insert(0) += 1;
            return Some(Token::Ident(name));
        }
        self.chars.next();
        Some(Token::Op(first))
    }
}

impl fmt::Display for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}", self)
    }
}`,
  "SQL and shell": `CREATE TABLE IF NOT EXISTS bookings (
  id INTEGER PRIMARY KEY,
  customer_id INTEGER NOT NULL REFERENCES customers (id) ON DELETE CASCADE,
  amount_cents INTEGER NOT NULL CHECK (amount_cents <> 0),
  created_at TEXT NOT NULL DEFAULT (datetime('now'))
);
CREATE INDEX bookings_by_customer ON bookings (customer_id, created_at DESC);
SELECT c.name, SUM(b.amount_cents) / 100.0 AS total, COUNT(*) AS n
FROM customers AS c LEFT JOIN bookings AS b ON b.customer_id = c.id
WHERE b.created_at >= date('now', '-30 days') GROUP BY c.id HAVING n > 3 ORDER BY total DESC LIMIT 20;

#!/usr/bin/env bash
set -euo pipefail
for file in "$HOME"/backup/*.tar.gz; do
  name=$(basename "$file" .tar.gz)
  if ! tar -tzf "$file" > /dev/null 2>&1; then
    echo "broken archive: $name" >&2
    exit 1
  fi
  rsync -av --delete --exclude='*.tmp' "$file" "backup@example.org:/srv/archive/$name/" | tee -a sync.log
done`,
  "JSON, indented": JSON.stringify(records.slice(0, 6), null, 2),
  "JSON, compact": JSON.stringify(records),
  "hex, one run": noise(HEX, 1200),
  "hex, hashes": lines(24, (index) => `${noise(HEX, 40, index + 11)}  build/part-${index}.o`),
  "base64, one run": noise(BASE64, 1200),
  "base64, lines": lines(14, (index) => noise(BASE64, 76, index + 5)),
  "base64 image": `data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAA${noise(BASE64, 1500, 9)}==`,
  log: lines(12, (index) =>
    [
      `2025-11-0${(index % 9) + 1}T14:0${index % 10}:1${index % 9}.${120 + index}Z`,
      ["INFO", "WARN", "ERROR"][index % 3],
      `[worker-${index}] http.request method=GET path=/api/v2/orders/${40_000 + index * 173}`,
      `status=${[200, 404, 500][index % 3]} duration=${12 + index * 7}ms trace=${noise(HEX, 16, index + 2)}`,
    ].join(" "),
  ),
  "stack trace": `TypeError: Cannot read properties of undefined (reading 'rows')
    at loadOrders (/srv/app/dist/orders/load-orders.js:42:31)
    at process.processTicksAndRejections (node:internal/process/task_queues:105:5)
    at async Promise.all (index 3)
    at async handleRequest (/srv/app/dist/http/handle-request.js:118:20)
    at async /srv/app/node_modules/fastify/lib/wrapThenable.js:23:9
Caused by: Error: connect ECONNREFUSED 127.0.0.1:5432
    at TCPConnectWrap.afterConnect [as oncomplete] (node:net:1637:16) {
  errno: -111, code: 'ECONNREFUSED', syscall: 'connect', address: '127.0.0.1', port: 5432
}
npm error Lifecycle script \`start\` failed with error:
npm error code 1
npm error path /srv/app/packages/orders
npm error workspace @shop/orders@2.14.0`,
  Markdown: `# Release 2.14

## What is new
- **Faster start**: the index is read lazily, see [the notes](https://example.org/notes/lazy-index.md#cost).
- \`orders export --since <date>\` writes CSV; the default separator is now \`;\`.
- The option \`--legacy-dates\` is gone. Use \`--date-format iso\` instead.

## Upgrade
1. Stop the workers: \`systemctl stop orders-worker@{1..4}\`
2. Run the migration and wait for \`done\`:

\`\`\`sh
npx orders migrate --to 2.14 --dry-run && npx orders migrate --to 2.14
\`\`\`

| setting | old | new |
|---|---|---|
| \`cache.size\` | 64 MB | 256 MB |
| \`http.timeout\` | 30 s | 10 s |
| \`queue.retries\` | 3 | 5 |

> **Note**: a downgrade is not possible once the migration has run. Keep the backup for two weeks at least.`,
};
