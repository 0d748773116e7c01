import type { Link } from './link.ts';
import type { Tables } from './tables.ts';

/** Arbitrary number that no other advisory lock in the database uses. */
const MIGRATION_LOCK = 7_262_683_028;
/** Sessions per partition of the lines; an old partition can be emptied at once. */
export const PARTITION_SESSIONS = 1_000_000;

/** Each step migrates the tables from one version to the next; steps are only ever added. */
function steps(tables: Tables): readonly (readonly string[])[] {
  return [first(tables), [...agents(tables), ...catalogue(tables)]];
}

export interface MigrationReport {
  readonly from: number;
  readonly to: number;
}

/** Migrates the tables under a lock, so that any number of processes may start concurrently. */
export function migrate(link: Link, tables: Tables): Promise<MigrationReport> {
  return link.transaction(async (run) => {
    await run(`SELECT pg_advisory_xact_lock(${MIGRATION_LOCK})`);
    await run(`CREATE SCHEMA IF NOT EXISTS ${tables.schema}`);
    await run(`CREATE TABLE IF NOT EXISTS ${tables.version} (version integer NOT NULL)`);
    const [row] = await run(`SELECT coalesce(max(version), 0) AS version FROM ${tables.version}`);
    const from = Number(row?.version);
    const known = steps(tables);
    if (from > known.length) {
      throw new Error(
        `The archive's layout is version ${from}, and this program knows ${known.length}: update this program.`,
      );
    }
    for (const statement of known.slice(from).flat()) await run(statement);
    if (from < known.length) {
      await run(`DELETE FROM ${tables.version}`);
      await run(`INSERT INTO ${tables.version} (version) VALUES (${known.length})`);
    }
    return { from, to: known.length };
  });
}

function first(tables: Tables): readonly string[] {
  const { node, session, event, payload, checkpoint, inbox, question } = tables;
  return [
    // One row per lease: a single heartbeat covers all its sessions.
    `CREATE TABLE ${node} (
      id uuid PRIMARY KEY, name text NOT NULL, url text, workspaces text[],
      started_at timestamptz NOT NULL DEFAULT clock_timestamp(), until timestamptz NOT NULL
    ) WITH (fillfactor = 50)`,
    // No column that an append changes is indexed, so an append updates no index of this table.
    `CREATE TABLE ${session} (
      sid bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      id text COLLATE "C" NOT NULL UNIQUE,
      owner uuid, fence bigint NOT NULL DEFAULT 0,
      last_seq bigint NOT NULL DEFAULT 0, last_n bigint NOT NULL DEFAULT 0, bytes bigint NOT NULL DEFAULT 0,
      is_open_turn boolean NOT NULL DEFAULT false, is_moved boolean NOT NULL DEFAULT false,
      workspace text, card text NOT NULL DEFAULT '{}',
      created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
      updated_at timestamptz NOT NULL DEFAULT clock_timestamp()
    ) WITH (fillfactor = 50)`,
    `CREATE INDEX session_open_turn ON ${session} (sid) WHERE is_open_turn`,
    `CREATE INDEX session_moved ON ${session} (sid) WHERE is_moved`,
    `CREATE TABLE ${event} (
      sid bigint NOT NULL, seq bigint NOT NULL, fence bigint NOT NULL, n bigint,
      kind text NOT NULL, data text NOT NULL, PRIMARY KEY (sid, seq)
    ) PARTITION BY RANGE (sid)`,
    partition(tables, 0),
    `CREATE TABLE ${payload} (
      sid bigint NOT NULL, hash text COLLATE "C" NOT NULL, data text NOT NULL, PRIMARY KEY (sid, hash))`,
    `CREATE TABLE ${checkpoint} (
      sid bigint PRIMARY KEY, seq bigint NOT NULL, fence bigint NOT NULL, record text NOT NULL)`,
    `CREATE TABLE ${inbox} (
      sid bigint NOT NULL, message_id text COLLATE "C" NOT NULL,
      place bigint GENERATED ALWAYS AS IDENTITY,
      kind text NOT NULL, body text NOT NULL, digest text NOT NULL, attempts integer NOT NULL DEFAULT 1,
      arrived_at timestamptz NOT NULL DEFAULT clock_timestamp(),
      taken_seq bigint, taken_fence bigint, status text, response text,
      PRIMARY KEY (sid, message_id))`,
    `CREATE INDEX inbox_waiting ON ${inbox} (sid, place) WHERE taken_seq IS NULL`,
    `CREATE INDEX inbox_running ON ${inbox} (sid) WHERE taken_seq IS NOT NULL AND status IS NULL`,
    `CREATE TABLE ${question} (
      sid bigint NOT NULL, request_id text COLLATE "C" NOT NULL, asked_seq bigint NOT NULL,
      answer text, answered_by text, answered_at timestamptz, taken_seq bigint,
      PRIMARY KEY (sid, request_id))`,
    `CREATE INDEX question_open ON ${question} (sid) WHERE taken_seq IS NULL`,
  ];
}

/** Version 2: secrets, and sessions of other agents' programs. */
function agents(tables: Tables): readonly string[] {
  const { vault, agentSession, agentTranscript, piece, agentFile } = tables;
  return [
    `CREATE TABLE ${vault} (
      sid bigint NOT NULL, place bigint GENERATED ALWAYS AS IDENTITY, data bytea NOT NULL, PRIMARY KEY (sid, place))`,
    // `holder` keeps the lock while it renews `until`.
    `CREATE TABLE ${agentSession} (
      sid bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, id text COLLATE "C" NOT NULL UNIQUE,
      record text NOT NULL, version bigint NOT NULL DEFAULT 0, updated_at timestamptz NOT NULL DEFAULT clock_timestamp(),
      holder uuid, holder_name text, until timestamptz
    ) WITH (fillfactor = 50)`,
    `CREATE TABLE ${agentTranscript} (
      sid bigint NOT NULL, subagent text COLLATE "C" NOT NULL, length bigint NOT NULL DEFAULT 0, meta text,
      PRIMARY KEY (sid, subagent)) WITH (fillfactor = 50)`,
    `CREATE TABLE ${piece} (
      sid bigint NOT NULL, subagent text COLLATE "C" NOT NULL, start bigint NOT NULL, data bytea NOT NULL,
      is_sealed boolean NOT NULL DEFAULT false, PRIMARY KEY (sid, subagent, start))`,
    `CREATE TABLE ${agentFile} (
      sid bigint NOT NULL, path text COLLATE "C" NOT NULL, file text NOT NULL, PRIMARY KEY (sid, path))`,
  ];
}

/** Version 2: the catalogue. It is derived from the sessions and may be emptied at any time. */
function catalogue(tables: Tables): readonly string[] {
  const { catalogueTurn, catalogueSession, catalogueBlock, catalogueUsage, catalogueLabel } =
    tables;
  return [
    `CREATE TABLE ${catalogueTurn} (
      name text COLLATE "C" PRIMARY KEY, holder uuid, until timestamptz NOT NULL, refreshed_at bigint)`,
    `CREATE TABLE ${catalogueSession} (
      id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, source text COLLATE "C" NOT NULL, sid bigint,
      type text NOT NULL, agent text NOT NULL, native_id text COLLATE "C" NOT NULL, path text COLLATE "C" NOT NULL,
      parts text NOT NULL DEFAULT '[]', version text NOT NULL, project_key text, project text, cwd text, title text,
      name text, preview text, model text, branch text, fork_of text, created bigint NOT NULL, updated bigint NOT NULL,
      messages integer NOT NULL, is_orphan boolean NOT NULL, gone bigint, is_hidden boolean NOT NULL,
      is_twin boolean NOT NULL DEFAULT false)`,
    `CREATE UNIQUE INDEX catalogue_session_place ON ${catalogueSession} (native_id, type, path)`,
    `CREATE INDEX catalogue_session_shown ON ${catalogueSession} (updated DESC, native_id DESC)
      WHERE NOT is_hidden AND NOT is_twin`,
    `CREATE INDEX catalogue_session_project ON ${catalogueSession} (project_key, updated DESC)`,
    `CREATE INDEX catalogue_session_cwd ON ${catalogueSession} (cwd)`,
    `CREATE UNIQUE INDEX catalogue_session_sid ON ${catalogueSession} (source, sid) WHERE sid IS NOT NULL`,
    // Numbered in the order of writing, so that the newest matches are found without scanning all.
    `CREATE TABLE ${catalogueBlock} (
      id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, session bigint NOT NULL, seq integer NOT NULL,
      piece integer NOT NULL, block_id text NOT NULL, thread text NOT NULL, is_superseded boolean NOT NULL,
      is_tool boolean NOT NULL, digest text NOT NULL, shown text NOT NULL, words tsvector NOT NULL)`,
    `CREATE UNIQUE INDEX catalogue_block_place ON ${catalogueBlock} (session, seq, piece)`,
    `CREATE INDEX catalogue_block_words ON ${catalogueBlock} USING gin (words)`,
    `CREATE TABLE ${catalogueUsage} (
      key bigint NOT NULL, session bigint NOT NULL, at bigint NOT NULL, model text, cause text NOT NULL,
      input bigint NOT NULL, output bigint NOT NULL, cache_read bigint NOT NULL, cache_write bigint NOT NULL,
      cache_write_1h bigint NOT NULL, thinking bigint NOT NULL, cost double precision, is_copy boolean NOT NULL,
      is_counted boolean NOT NULL, PRIMARY KEY (key, session))`,
    `CREATE INDEX catalogue_usage_session ON ${catalogueUsage} (session)`,
    `CREATE INDEX catalogue_usage_at ON ${catalogueUsage} (at)`,
    `CREATE TABLE ${catalogueLabel} (
      type text COLLATE "C" NOT NULL, native_id text COLLATE "C" NOT NULL, name text,
      is_pinned boolean NOT NULL DEFAULT false, is_archived boolean NOT NULL DEFAULT false,
      PRIMARY KEY (type, native_id))`,
  ];
}

/** The statement for the partition that holds the `index`-th million of sessions. */
export function partition({ event }: Tables, index: number): string {
  const name = `${event}_${index}`;
  const from = index * PARTITION_SESSIONS;
  return `CREATE TABLE IF NOT EXISTS ${name} PARTITION OF ${event} FOR VALUES FROM (${from}) TO (${from + PARTITION_SESSIONS})`;
}
