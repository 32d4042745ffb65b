/**
 * The tables and functions of the PostgreSQL driver. A session's row is locked by whoever changes the session, so that
 * everything under it has one order. Rows hang on a number of the store's own: a session made again under an old id
 * shares nothing with the one that was deleted.
 */

/** A name as SQL takes it. */
export const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;

/** The SQL that makes the schema of version 1. Names are put in by the caller; nothing here comes from a user. */
export const firstSchema = (schema: string): string => `
CREATE TABLE ${schema}.sessions (
  number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  id text COLLATE "C" NOT NULL UNIQUE,
  version bigint NOT NULL,
  entries integer NOT NULL,
  head integer NOT NULL,
  created double precision NOT NULL,
  updated double precision NOT NULL,
  bytes bigint NOT NULL,
  attempt uuid NOT NULL
);
COMMENT ON COLUMN ${schema}.sessions.attempt IS 'the latest commit, known again when its client repeats it';

CREATE TABLE ${schema}.entries (
  session bigint NOT NULL REFERENCES ${schema}.sessions ON DELETE CASCADE,
  sequence integer NOT NULL,
  parent integer NOT NULL,
  time double precision NOT NULL,
  role text NOT NULL,
  blank boolean NOT NULL,
  message text NOT NULL,
  attempt uuid,
  PRIMARY KEY (session, sequence)
);
COMMENT ON COLUMN ${schema}.entries.attempt IS 'on the first entry of a commit: that commit';

CREATE TABLE ${schema}.documents (
  session bigint NOT NULL REFERENCES ${schema}.sessions ON DELETE CASCADE,
  name text COLLATE "C" NOT NULL,
  value text NOT NULL,
  PRIMARY KEY (session, name)
);

CREATE TABLE ${schema}.keys (
  session bigint NOT NULL REFERENCES ${schema}.sessions ON DELETE CASCADE,
  mark text COLLATE "C" NOT NULL,
  key text COLLATE "C",
  first integer NOT NULL,
  count integer NOT NULL,
  PRIMARY KEY (session, mark)
);
COMMENT ON COLUMN ${schema}.keys.key IS 'the whole key, where its mark is a fingerprint of it';
${commitFunction(schema)}
${deleteFunction(schema)}`;

/**
 * The function is one statement for the client, and so one transaction and one journey. Its client may repeat it: an
 * attempt that was carried out is known by its mark, which entries keep for good.
 */
const commitFunction = (schema: string): string => `
CREATE FUNCTION ${schema}.commit_change(
  p_id text, p_version bigint, p_fresh_version bigint, p_attempt uuid, p_time double precision, p_head integer,
  p_mark text, p_key text, p_first integer, p_parents integer[], p_times double precision[], p_roles text[], p_blanks boolean[],
  p_messages text[], p_names text[], p_values text[]
) RETURNS TABLE (status text, at_version bigint, first_entry integer, entry_count integer) LANGUAGE plpgsql AS $function$
DECLARE
  target ${schema}.sessions;
  added integer := cardinality(p_messages);
  known ${schema}.keys;
  growth bigint;
BEGIN
  IF current_setting('synchronous_commit') = 'off' THEN
    PERFORM set_config('synchronous_commit', 'on', true);
  END IF;
  SELECT * INTO target FROM ${schema}.sessions s WHERE s.id = p_id FOR UPDATE;
  IF NOT FOUND AND p_version = 0 THEN
    INSERT INTO ${schema}.sessions (id, version, entries, head, created, updated, bytes, attempt)
    VALUES (p_id, p_fresh_version - 1, 0, -1, p_time, p_time, 0, gen_random_uuid())
    ON CONFLICT (id) DO NOTHING RETURNING * INTO target;
    IF FOUND THEN
      p_version := target.version;
    ELSE
      SELECT * INTO target FROM ${schema}.sessions s WHERE s.id = p_id FOR UPDATE;
    END IF;
  END IF;
  IF target.number IS NULL THEN
    RETURN QUERY SELECT 'stale', 0::bigint, 0, 0;
    RETURN;
  END IF;
  IF target.attempt = p_attempt OR EXISTS (
    SELECT FROM ${schema}.entries e
    WHERE e.session = target.number AND e.sequence = p_first AND e.attempt = p_attempt
  ) THEN
    RETURN QUERY SELECT 'committed', CASE WHEN p_version = 0 THEN p_fresh_version ELSE p_version + 1 END, 0, 0;
    RETURN;
  END IF;
  SELECT * INTO known FROM ${schema}.keys k WHERE k.session = target.number AND k.mark = p_mark;
  IF FOUND THEN
    RETURN QUERY SELECT 'repeated', target.version, known.first, known.count;
    RETURN;
  END IF;
  IF target.version <> p_version THEN
    RETURN QUERY SELECT 'stale', target.version, 0, 0;
    RETURN;
  END IF;
  IF added > 0 AND p_first <> target.entries THEN
    RAISE EXCEPTION 'entries must go on at %, not at %', target.entries, p_first USING ERRCODE = 'check_violation';
  END IF;
  INSERT INTO ${schema}.entries (session, sequence, parent, time, role, blank, message, attempt)
  SELECT target.number, p_first + n - 1, parent, time, role, blank, message, CASE WHEN n = 1 THEN p_attempt END
  FROM unnest(p_parents, p_times, p_roles, p_blanks, p_messages)
    WITH ORDINALITY AS added_row (parent, time, role, blank, message, n);
  IF p_mark IS NOT NULL THEN
    INSERT INTO ${schema}.keys (session, mark, key, first, count)
    VALUES (target.number, p_mark, p_key, target.entries, added);
  END IF;
  growth := coalesce((SELECT sum(octet_length(m)) FROM unnest(p_messages) m), 0);
  IF cardinality(p_names) > 0 THEN
    growth := growth + coalesce((SELECT sum(octet_length(v)) FROM unnest(p_values) v), 0) - coalesce(
      (SELECT sum(octet_length(d.value)) FROM ${schema}.documents d
       WHERE d.session = target.number AND d.name = ANY (p_names)), 0);
    INSERT INTO ${schema}.documents AS d (session, name, value)
    SELECT target.number, name, value FROM unnest(p_names, p_values) AS written (name, value) WHERE value IS NOT NULL
    ON CONFLICT ON CONSTRAINT documents_pkey DO UPDATE SET value = excluded.value;
    DELETE FROM ${schema}.documents d USING unnest(p_names, p_values) AS written (name, value)
    WHERE d.session = target.number AND d.name = written.name AND written.value IS NULL;
  END IF;
  UPDATE ${schema}.sessions s SET
    version = target.version + 1,
    entries = target.entries + added,
    head = coalesce(p_head, CASE WHEN added > 0 THEN target.entries + added - 1 ELSE target.head END),
    updated = p_time,
    bytes = target.bytes + growth,
    attempt = p_attempt
  WHERE s.number = target.number;
  RETURN QUERY SELECT 'committed', target.version + 1, 0, 0;
END
$function$;`;

const deleteFunction = (schema: string): string => `
CREATE FUNCTION ${schema}.delete_session(p_id text)
RETURNS TABLE (had_entries integer, had_documents bigint, had_keys bigint, had_bytes bigint) LANGUAGE plpgsql AS $function$
DECLARE
  target ${schema}.sessions;
BEGIN
  SELECT * INTO target FROM ${schema}.sessions s WHERE s.id = p_id FOR UPDATE;
  IF NOT FOUND THEN
    RETURN;
  END IF;
  RETURN QUERY SELECT
    target.entries,
    (SELECT count(*) FROM ${schema}.documents d WHERE d.session = target.number),
    (SELECT count(*) FROM ${schema}.keys k WHERE k.session = target.number),
    target.bytes;
  DELETE FROM ${schema}.sessions s WHERE s.number = target.number;
END
$function$;`;

/**
 * A checksum for every row, made by the server whoever writes it; NULL for rows of 0.1.0. Columns that are NULL do not
 * count, so that a later one can be added. A row that is damaged is not written over, but for documents, which are
 * replaced whole.
 */
export const rowSums = (schema: string): string => `
CREATE FUNCTION ${schema}.row_sum(p_row anyelement) RETURNS integer LANGUAGE sql STABLE
SET extra_float_digits = 1 AS $function$
  SELECT ('x' || left(encode(sha256(convert_to(jsonb_strip_nulls(to_jsonb(p_row) - 'sum')::text, 'UTF8')), 'hex'), 8))::bit(32)::integer
$function$;
CREATE FUNCTION ${schema}.seal_row() RETURNS trigger LANGUAGE plpgsql AS $function$
BEGIN
  IF TG_OP = 'UPDATE' AND TG_TABLE_NAME <> 'documents' AND OLD.sum <> ${schema}.row_sum(OLD) THEN
    RAISE EXCEPTION 'a row of % is damaged', TG_TABLE_NAME USING ERRCODE = 'data_corrupted';
  END IF;
  NEW.sum := ${schema}.row_sum(NEW);
  RETURN NEW;
END
$function$;
${["sessions", "entries", "documents", "keys", "memory_scopes", "memories"].map((table) => sealed(schema, table)).join("")}`;

const sealed = (schema: string, table: string): string => `
ALTER TABLE ${schema}.${table} ADD COLUMN sum integer;
CREATE TRIGGER seal BEFORE INSERT OR UPDATE ON ${schema}.${table} FOR EACH ROW EXECUTE FUNCTION ${schema}.seal_row();`;

/** Whether a row is as it was written; NULL where it has no sum. */
export const intact = (schema: string, row: string): string => `${row}.sum = ${schema}.row_sum(${row})`;
