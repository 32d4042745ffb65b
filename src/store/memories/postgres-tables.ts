/**
 * The tables of memories in PostgreSQL. The row of a scope is locked by whoever writes to it, so that its versions,
 * places and counts have one order. All that belongs to a memory hangs on its number and goes with it.
 *
 * The terms of a passage are a `tsvector` that has a term's count in the place of its position: what a search needs to
 * score a passage is in the one column that it finds it by. Owners and tags are lexemes among them, so that the index
 * finds the few passages of one reader among those of all.
 */

/** The SQL that makes them, for a schema's quoted name; nothing here comes from a user. */
export const memoryTables = (schema: string): string => `
CREATE TABLE ${schema}.memory_scopes (
  number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  mark text COLLATE "C" NOT NULL UNIQUE,
  key text NOT NULL,
  tenant text COLLATE "C",
  "user" text COLLATE "C",
  agent text COLLATE "C",
  project text COLLATE "C",
  session text COLLATE "C",
  version bigint NOT NULL DEFAULT 0,
  attempts uuid[] NOT NULL DEFAULT '{}',
  passages bigint NOT NULL DEFAULT 0,
  terms bigint NOT NULL DEFAULT 0
);
CREATE INDEX ON ${schema}.memory_scopes (tenant) WHERE tenant IS NOT NULL;
CREATE INDEX ON ${schema}.memory_scopes ("user") WHERE "user" IS NOT NULL;
CREATE INDEX ON ${schema}.memory_scopes (agent) WHERE agent IS NOT NULL;
CREATE INDEX ON ${schema}.memory_scopes (project) WHERE project IS NOT NULL;
CREATE INDEX ON ${schema}.memory_scopes (session) WHERE session IS NOT NULL;
COMMENT ON COLUMN ${schema}.memory_scopes.attempts IS 'the latest writes, newest first, known again when a client repeats one';

CREATE TABLE ${schema}.memory_threads (
  scope bigint NOT NULL REFERENCES ${schema}.memory_scopes ON DELETE CASCADE,
  mark text COLLATE "C" NOT NULL,
  next integer NOT NULL,
  PRIMARY KEY (scope, mark)
);

CREATE TABLE ${schema}.memories (
  number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  id text COLLATE "C" NOT NULL UNIQUE,
  scope bigint NOT NULL REFERENCES ${schema}.memory_scopes,
  thread text NOT NULL,
  thread_mark text COLLATE "C" NOT NULL,
  place integer NOT NULL,
  tags text[] NOT NULL,
  time double precision NOT NULL,
  until double precision,
  speaker text NOT NULL,
  keys text[] NOT NULL,
  body text NOT NULL
);
CREATE INDEX ON ${schema}.memories (scope, thread_mark, place);
CREATE INDEX ON ${schema}.memories (scope, number);

CREATE TABLE ${schema}.memory_keys (
  mark text COLLATE "C" NOT NULL,
  scope bigint NOT NULL,
  memory bigint NOT NULL REFERENCES ${schema}.memories ON DELETE CASCADE,
  PRIMARY KEY (mark, scope, memory)
);
CREATE INDEX ON ${schema}.memory_keys (memory);

CREATE TABLE ${schema}.memory_passages (
  number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  memory bigint NOT NULL REFERENCES ${schema}.memories ON DELETE CASCADE,
  scope bigint NOT NULL,
  index integer NOT NULL,
  length integer NOT NULL,
  time double precision NOT NULL,
  until double precision,
  terms tsvector NOT NULL,
  UNIQUE (memory, index)
);
CREATE INDEX ON ${schema}.memory_passages (scope);
CREATE INDEX memory_passages_terms ON ${schema}.memory_passages USING gin (terms) WITH (gin_pending_list_limit = 256);
COMMENT ON COLUMN ${schema}.memory_passages.terms IS 'with the count of a term in the place of its position';

CREATE TABLE ${schema}.memory_embedders (
  number integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  name text COLLATE "C" NOT NULL UNIQUE,
  dimensions integer
);

CREATE TABLE ${schema}.memory_embedded (
  embedder integer NOT NULL REFERENCES ${schema}.memory_embedders ON DELETE CASCADE,
  memory bigint NOT NULL REFERENCES ${schema}.memories ON DELETE CASCADE,
  PRIMARY KEY (memory, embedder)
);
CREATE INDEX ON ${schema}.memory_embedded (embedder);

CREATE TABLE ${schema}.memory_vectors (
  passage bigint NOT NULL REFERENCES ${schema}.memory_passages ON DELETE CASCADE,
  embedder integer NOT NULL REFERENCES ${schema}.memory_embedders ON DELETE CASCADE,
  memory bigint NOT NULL,
  scope bigint NOT NULL,
  value real[] NOT NULL,
  codes bytea NOT NULL,
  scale real NOT NULL,
  change xid8 NOT NULL DEFAULT pg_current_xact_id(),
  PRIMARY KEY (passage, embedder)
);
ALTER TABLE ${schema}.memory_vectors
  ALTER value SET STORAGE EXTERNAL, ALTER codes SET STORAGE EXTERNAL, SET (toast_tuple_target = 4080);
CREATE INDEX ON ${schema}.memory_vectors (embedder, scope);
CREATE INDEX ON ${schema}.memory_vectors (embedder, change);
COMMENT ON COLUMN ${schema}.memory_vectors.value IS 'as long as 1, or all zeros';
COMMENT ON COLUMN ${schema}.memory_vectors.change IS 'the transaction that wrote it, by which others find what they do not know yet';
`;
