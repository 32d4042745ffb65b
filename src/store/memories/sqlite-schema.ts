/**
 * The tables of memories in a SQLite file.
 *
 * A shelf is what rows with the same owners and the same tags stand on: who may read a row is told by its shelf alone.
 * Passages of a row have numbers one behind the other, from `first` on, and these are never given again, so that an
 * index kept in a process can be told from what is there. `memory_words` finds passages by terms and by the tokens of
 * their owners; it reads what it has to take out again from `memory_passages`, which is why both columns are kept there,
 * and its `secure-delete` takes them out at once rather than at the next merge.
 *
 * A vector's place is the number of its embedder times 2^40 plus that of its passage. Codes are vectors in one byte a
 * number, for processes to load; whoever has read them up to a number reads on from there. The embedder "" counts the
 * rows that have no vectors.
 */
export const MEMORY_SCHEMA = `
  CREATE TABLE memory_scopes (
    number INTEGER PRIMARY KEY,
    key TEXT NOT NULL UNIQUE,
    tenant TEXT,
    user TEXT,
    agent TEXT,
    project TEXT,
    session TEXT,
    version INTEGER NOT NULL
  );
  CREATE INDEX memory_tenants ON memory_scopes (tenant, user) WHERE tenant IS NOT NULL;
  CREATE INDEX memory_users ON memory_scopes (user) WHERE user IS NOT NULL;
  CREATE INDEX memory_agents ON memory_scopes (agent) WHERE agent IS NOT NULL;
  CREATE INDEX memory_projects ON memory_scopes (project) WHERE project IS NOT NULL;
  CREATE INDEX memory_sessions ON memory_scopes (session) WHERE session IS NOT NULL;
  CREATE TABLE memory_shelves (
    number INTEGER PRIMARY KEY,
    scope INTEGER NOT NULL,
    tags TEXT NOT NULL,
    rows INTEGER NOT NULL,
    passages INTEGER NOT NULL,
    terms INTEGER NOT NULL,
    UNIQUE (scope, tags)
  );
  CREATE TABLE memory_threads (
    number INTEGER PRIMARY KEY,
    scope INTEGER NOT NULL,
    thread TEXT NOT NULL,
    next INTEGER NOT NULL,
    UNIQUE (scope, thread)
  );
  CREATE TABLE memories (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    shelf INTEGER NOT NULL,
    thread INTEGER NOT NULL,
    place INTEGER NOT NULL,
    time INTEGER NOT NULL,
    until INTEGER,
    speaker TEXT NOT NULL,
    first INTEGER NOT NULL,
    passages INTEGER NOT NULL,
    keys TEXT NOT NULL,
    body TEXT NOT NULL
  );
  CREATE UNIQUE INDEX memory_places ON memories (thread, place);
  CREATE INDEX memories_on_shelves ON memories (shelf);
  CREATE TABLE memory_keys (
    hash INTEGER NOT NULL,
    shelf INTEGER NOT NULL,
    memory INTEGER NOT NULL,
    PRIMARY KEY (hash, shelf, memory)
  ) WITHOUT ROWID;
  CREATE TABLE memory_passages (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    memory INTEGER NOT NULL,
    length INTEGER NOT NULL,
    owners TEXT NOT NULL,
    terms TEXT NOT NULL
  );
  CREATE VIRTUAL TABLE memory_words USING fts5 (
    owners, terms, content = 'memory_passages', content_rowid = 'number',
    tokenize = "ascii tokenchars '!""#$%&''''()*+,-./:;<=>?@[\\]^_\`{|}~'"
  );
  INSERT INTO memory_words (memory_words, rank) VALUES ('secure-delete', 1);
  CREATE TABLE memory_embedders (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    name TEXT NOT NULL UNIQUE,
    dimensions INTEGER NOT NULL,
    rows INTEGER NOT NULL
  );
  INSERT INTO memory_embedders (number, name, dimensions, rows) VALUES (0, '', 0, 0);
  CREATE TABLE memory_vectors (
    place INTEGER PRIMARY KEY,
    code INTEGER NOT NULL,
    vector BLOB NOT NULL
  );
  CREATE TABLE memory_codes (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    place INTEGER NOT NULL,
    shelf INTEGER NOT NULL,
    scale REAL NOT NULL,
    codes BLOB NOT NULL
  );`;
