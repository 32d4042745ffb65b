/** The function that carries a change out: one statement for the client, and so one transaction and one journey. */

/**
 * Its client may repeat it: a write that was carried out is known by its attempt while it is among the latest of its
 * scope. The SQL is for a schema's quoted name.
 */
export const writeFunction = (schema: string): string => `
${forgetFunction(schema)}
${embedderFunction(schema)}
${addVectorsFunction(schema)}
${redactFunction(schema)}
CREATE FUNCTION ${schema}.write_memories(
  p_mark text, p_version bigint, p_attempt uuid, p_scopes jsonb, p_put jsonb, p_amend jsonb, p_remove text[], p_redact jsonb,
  p_embedder text[], p_sizes integer[], p_embedded_rows integer[], p_embedded integer[],
  p_rows integer[], p_indexes integer[], p_embedders integer[], p_vectors text[], p_codes bytea[], p_scales real[]
) RETURNS TABLE (status text, at_version bigint, name text) LANGUAGE plpgsql AS $function$
DECLARE
  own ${schema}.memory_scopes;
  touched text[] := p_remove || ARRAY(SELECT g ->> 'id' FROM jsonb_array_elements(p_put || p_amend) g);
  numbers bigint[] := '{}';
  given jsonb;
  target ${schema}.memories;
  target_scope bigint;
  next_place integer;
  held ${schema}.memory_embedders;
  embedders integer[] := '{}';
  refused text;
BEGIN
  IF current_setting('synchronous_commit') = 'off' THEN
    PERFORM set_config('synchronous_commit', 'on', true);
  END IF;
  INSERT INTO ${schema}.memory_scopes (mark, key, tenant, "user", agent, project, session)
  SELECT * FROM jsonb_to_recordset(p_scopes)
    AS s (mark text, key text, tenant text, "user" text, agent text, project text, session text) ORDER BY mark
  ON CONFLICT (mark) DO NOTHING;
  PERFORM FROM ${schema}.memory_scopes s
  WHERE s.number IN (
    SELECT k.number FROM jsonb_array_elements(p_scopes) g JOIN ${schema}.memory_scopes k ON k.mark = g ->> 'mark'
    UNION SELECT m.scope FROM ${schema}.memories m WHERE m.id = ANY (touched)
  )
  ORDER BY s.number FOR UPDATE;
  SELECT * INTO own FROM ${schema}.memory_scopes s WHERE s.mark = p_mark;
  IF p_attempt = ANY (own.attempts) THEN
    RETURN QUERY SELECT 'written', own.version - array_position(own.attempts, p_attempt) + 1, NULL;
    RETURN;
  END IF;
  IF own.version <> p_version THEN
    RETURN QUERY SELECT 'stale', own.version, NULL;
    RETURN;
  END IF;
  FOR item IN 1 .. cardinality(p_embedder) LOOP
    held := ${schema}.hold_embedder(p_embedder[item], p_sizes[item]);
    IF held.dimensions <> p_sizes[item] THEN
      RETURN QUERY SELECT 'other-size', held.dimensions::bigint, p_embedder[item];
      RETURN;
    END IF;
    embedders := embedders || held.number;
  END LOOP;
  refused := ${schema}.redact_sessions(p_redact);
  IF refused IS NOT NULL THEN
    RETURN QUERY SELECT 'stale-session', own.version, refused;
    RETURN;
  END IF;
  FOR given IN SELECT g FROM jsonb_array_elements(p_put) g LOOP
    SELECT s.number INTO STRICT target_scope FROM ${schema}.memory_scopes s WHERE s.mark = given ->> 'scope';
    SELECT * INTO target FROM ${schema}.memories m WHERE m.id = given ->> 'id' FOR UPDATE;
    next_place := target.place;
    IF target.scope IS DISTINCT FROM target_scope OR target.thread_mark <> given ->> 'threadMark' THEN
      INSERT INTO ${schema}.memory_threads AS t (scope, mark, next) VALUES (target_scope, given ->> 'threadMark', 1)
      ON CONFLICT (scope, mark) DO UPDATE SET next = t.next + 1 RETURNING t.next - 1 INTO next_place;
    END IF;
    IF target.number IS NULL THEN
      INSERT INTO ${schema}.memories (id, scope, thread, thread_mark, place, tags, time, until, speaker, keys, body)
      VALUES (given ->> 'id', target_scope, given ->> 'thread', given ->> 'threadMark', next_place,
        ARRAY(SELECT jsonb_array_elements_text(given -> 'tags')), (given ->> 'time')::float8,
        (given ->> 'until')::float8, given ->> 'speaker', ARRAY(SELECT jsonb_array_elements_text(given -> 'keys')),
        given ->> 'body')
      RETURNING number INTO target.number;
    ELSE
      PERFORM ${schema}.forget_passages(ARRAY[target.number]);
      DELETE FROM ${schema}.memory_embedded e WHERE e.memory = target.number;
      UPDATE ${schema}.memories m SET
        scope = target_scope, thread = given ->> 'thread', thread_mark = given ->> 'threadMark', place = next_place,
        tags = ARRAY(SELECT jsonb_array_elements_text(given -> 'tags')), time = (given ->> 'time')::float8,
        until = (given ->> 'until')::float8, speaker = given ->> 'speaker',
        keys = ARRAY(SELECT jsonb_array_elements_text(given -> 'keys')), body = given ->> 'body'
      WHERE m.number = target.number;
    END IF;
    numbers := numbers || target.number;
  END LOOP;
  INSERT INTO ${schema}.memory_passages (memory, scope, index, length, time, until, terms)
  SELECT m.number, m.scope, p.n - 1, (p.value ->> 'length')::integer, m.time, m.until, (p.value ->> 'terms')::tsvector
  FROM jsonb_array_elements(p_put) WITH ORDINALITY AS g (value, n)
    JOIN ${schema}.memories m ON m.number = numbers[g.n],
    jsonb_array_elements(g.value -> 'passages') WITH ORDINALITY AS p (value, n)
  ORDER BY g.n, p.n;
  UPDATE ${schema}.memory_scopes s SET passages = s.passages + added.passages, terms = s.terms + added.terms
  FROM (
    SELECT p.scope, count(*) AS passages, sum(p.length) AS terms FROM ${schema}.memory_passages p
    WHERE p.memory = ANY (numbers) GROUP BY p.scope
  ) added WHERE s.number = added.scope;
  INSERT INTO ${schema}.memory_embedded (memory, embedder)
  SELECT numbers[e.row], embedders[e.embedder] FROM unnest(p_embedded_rows, p_embedded) AS e (row, embedder);
  INSERT INTO ${schema}.memory_vectors (passage, embedder, memory, scope, value, codes, scale)
  SELECT p.number, embedders[v.embedder], p.memory, p.scope, v.value::real[], v.codes, v.scale
  FROM unnest(p_rows, p_indexes, p_embedders, p_vectors, p_codes, p_scales) AS v (row, index, embedder, value, codes, scale)
    JOIN ${schema}.memory_passages p ON p.memory = numbers[v.row] AND p.index = v.index;
  UPDATE ${schema}.memories m SET
    until = a.until, keys = ARRAY(SELECT jsonb_array_elements_text(a.keys)), body = a.body
  FROM jsonb_to_recordset(p_amend) AS a (id text, until float8, keys jsonb, body text) WHERE m.id = a.id;
  UPDATE ${schema}.memory_passages p SET until = m.until
  FROM ${schema}.memories m, jsonb_to_recordset(p_amend) AS a (id text)
  WHERE m.id = a.id AND p.memory = m.number AND p.until IS DISTINCT FROM m.until;
  PERFORM ${schema}.forget_passages(ARRAY(SELECT m.number FROM ${schema}.memories m WHERE m.id = ANY (p_remove)));
  DELETE FROM ${schema}.memories m WHERE m.id = ANY (p_remove);
  DELETE FROM ${schema}.memory_keys k USING ${schema}.memories m WHERE m.id = ANY (touched) AND k.memory = m.number;
  INSERT INTO ${schema}.memory_keys (mark, scope, memory)
  SELECT k.mark, m.scope, m.number
  FROM jsonb_array_elements(p_put || p_amend) g
    JOIN ${schema}.memories m ON m.id = g ->> 'id', jsonb_to_recordset(g -> 'marks') AS k (key text, mark text)
  WHERE k.key = ANY (m.keys)
  ON CONFLICT DO NOTHING;
  UPDATE ${schema}.memory_scopes s SET version = s.version + 1, attempts = (p_attempt || s.attempts)[1:16]
  WHERE s.number = own.number;
  RETURN QUERY SELECT 'written', own.version + 1, NULL;
END
$function$;`;

/** Takes the passages of memories out, with their vectors, and out of the counts of their scopes. */
const forgetFunction = (schema: string): string => `
CREATE FUNCTION ${schema}.forget_passages(p_memories bigint[]) RETURNS void LANGUAGE sql AS $function$
  WITH gone AS (
    DELETE FROM ${schema}.memory_passages p WHERE p.memory = ANY (p_memories) RETURNING p.scope, p.length
  ), sums AS (
    SELECT scope, count(*) AS passages, sum(length) AS terms FROM gone GROUP BY scope
  )
  UPDATE ${schema}.memory_scopes s SET passages = s.passages - sums.passages, terms = s.terms - sums.terms
  FROM sums WHERE s.number = sums.scope;
$function$;`;

/**
 * An embedder, made where there is none. It stays until the transaction ends: whoever drops its vectors waits. The size
 * of its vectors is that of the first.
 */
const embedderFunction = (schema: string): string => `
CREATE FUNCTION ${schema}.hold_embedder(p_name text, p_dimensions integer) RETURNS ${schema}.memory_embedders
LANGUAGE plpgsql AS $function$
DECLARE
  held ${schema}.memory_embedders;
BEGIN
  LOOP
    SELECT * INTO held FROM ${schema}.memory_embedders e WHERE e.name = p_name FOR SHARE;
    IF FOUND AND (held.dimensions IS NOT NULL OR p_dimensions IS NULL) THEN
      RETURN held;
    END IF;
    INSERT INTO ${schema}.memory_embedders AS e (name, dimensions) VALUES (p_name, p_dimensions)
    ON CONFLICT (name) DO UPDATE SET dimensions = coalesce(e.dimensions, excluded.dimensions);
  END LOOP;
END
$function$;`;

/** Adds vectors to the memories whose body is the one given; returns the size of those there where it is another. */
const addVectorsFunction = (schema: string): string => `
CREATE FUNCTION ${schema}.add_vectors(
  p_embedder text, p_size integer, p_ids text[], p_bodies text[],
  p_rows integer[], p_indexes integer[], p_vectors text[], p_codes bytea[], p_scales real[]
) RETURNS integer LANGUAGE plpgsql AS $function$
DECLARE
  held ${schema}.memory_embedders := ${schema}.hold_embedder(p_embedder, p_size);
  numbers bigint[];
BEGIN
  IF held.dimensions <> p_size THEN
    RETURN held.dimensions;
  END IF;
  PERFORM FROM ${schema}.memories m WHERE m.id = ANY (p_ids) ORDER BY m.number FOR SHARE;
  numbers := ARRAY(
    SELECT m.number FROM unnest(p_ids, p_bodies) WITH ORDINALITY AS g (id, body, n)
      LEFT JOIN ${schema}.memories m ON m.id = g.id AND m.body = g.body
    ORDER BY g.n
  );
  INSERT INTO ${schema}.memory_embedded (memory, embedder)
  SELECT DISTINCT number, held.number FROM unnest(numbers) number WHERE number IS NOT NULL
  ON CONFLICT DO NOTHING;
  INSERT INTO ${schema}.memory_vectors AS known (passage, embedder, memory, scope, value, codes, scale)
  SELECT p.number, held.number, p.memory, p.scope, v.value::real[], v.codes, v.scale
  FROM unnest(p_rows, p_indexes, p_vectors, p_codes, p_scales) AS v (row, index, value, codes, scale)
    JOIN ${schema}.memory_passages p ON p.memory = numbers[v.row] AND p.index = v.index
  ON CONFLICT (passage, embedder) DO UPDATE SET
    value = excluded.value, codes = excluded.codes, scale = excluded.scale, change = pg_current_xact_id();
  RETURN NULL;
END
$function$;`;

/** Redacts sessions all together; or none, and returns the one that has changed since, or is gone. */
const redactFunction = (schema: string): string => `
CREATE FUNCTION ${schema}.redact_sessions(p_redact jsonb) RETURNS text LANGUAGE plpgsql AS $function$
DECLARE
  given jsonb;
  growth bigint;
  refused text;
BEGIN
  PERFORM FROM ${schema}.sessions s
  WHERE s.id IN (SELECT g ->> 'id' FROM jsonb_array_elements(p_redact) g) ORDER BY s.number FOR UPDATE;
  SELECT g ->> 'id' INTO refused FROM jsonb_array_elements(p_redact) WITH ORDINALITY AS r (g, n)
  WHERE NOT EXISTS (
    SELECT FROM ${schema}.sessions s WHERE s.id = g ->> 'id' AND s.version = (g ->> 'version')::bigint
  ) ORDER BY n LIMIT 1;
  IF refused IS NOT NULL THEN
    RETURN refused;
  END IF;
  FOR given IN SELECT g FROM jsonb_array_elements(p_redact) g LOOP
    WITH fresh AS (
      SELECT e.session, e.sequence, e.message AS old, f.message, f.role, f.blank
      FROM ${schema}.sessions s
        JOIN ${schema}.entries e ON e.session = s.number
        JOIN jsonb_to_recordset(given -> 'messages') AS f (sequence integer, message text, role text, blank boolean)
          ON f.sequence = e.sequence
      WHERE s.id = given ->> 'id'
    ), written AS (
      UPDATE ${schema}.entries e SET message = fresh.message, role = fresh.role, blank = fresh.blank FROM fresh
      WHERE e.session = fresh.session AND e.sequence = fresh.sequence
      RETURNING octet_length(fresh.message) - octet_length(fresh.old) AS growth
    )
    SELECT coalesce(sum(written.growth), 0) INTO growth FROM written;
    PERFORM FROM ${schema}.commit_change(
      given ->> 'id', (given ->> 'version')::bigint, 0, gen_random_uuid(), (given ->> 'time')::float8,
      NULL, NULL, NULL, NULL, '{}', '{}', '{}', '{}', '{}',
      ARRAY(SELECT jsonb_array_elements_text(given -> 'names')), ARRAY(SELECT jsonb_array_elements_text(given -> 'values')))
    WHERE status = 'committed';
    IF NOT FOUND THEN
      RAISE EXCEPTION 'the session % is to be redacted twice', given ->> 'id' USING ERRCODE = 'check_violation';
    END IF;
    UPDATE ${schema}.sessions s SET bytes = s.bytes + growth WHERE s.id = given ->> 'id';
  END LOOP;
  RETURN NULL;
END
$function$;`;
