/** The tables as the first version made them; never to be changed. `{schema}` stands for their schema. */
export const VERSION_1: readonly string[] = [
  `CREATE SCHEMA {schema}`,
  `CREATE TABLE {schema}.archive_version (version integer NOT NULL)`,
  `INSERT INTO {schema}.archive_version VALUES (1)`,
  `CREATE TABLE {schema}.node (
      id uuid PRIMARY KEY, name text NOT NULL, url text, workspaces text[],
      started_at timestamptz NOT NULL DEFAULT clock_timestamp(), until timestamptz NOT NULL
    ) WITH (fillfactor = 50)`,
  `CREATE TABLE {schema}.session (
      sid bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      id text COLLATE "C" NOT NULL UNIQUE,
      owner uuid, fence bigint NOT NULL DEFAULT 0,
      last_seq bigint NOT NULL DEFAULT 0, last_n bigint NOT NULL DEFAULT 0, bytes bigint NOT NULL DEFAULT 0,
      is_open_turn boolean NOT NULL DEFAULT false, is_moved boolean NOT NULL DEFAULT false,
      workspace text, card text NOT NULL DEFAULT '{}',
      created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
      updated_at timestamptz NOT NULL DEFAULT clock_timestamp()
    ) WITH (fillfactor = 50)`,
  `CREATE INDEX session_open_turn ON {schema}.session (sid) WHERE is_open_turn`,
  `CREATE INDEX session_moved ON {schema}.session (sid) WHERE is_moved`,
  `CREATE TABLE {schema}.event (
      sid bigint NOT NULL, seq bigint NOT NULL, fence bigint NOT NULL, n bigint,
      kind text NOT NULL, data text NOT NULL, PRIMARY KEY (sid, seq)
    ) PARTITION BY RANGE (sid)`,
  `CREATE TABLE {schema}.event_0 PARTITION OF {schema}.event FOR VALUES FROM (0) TO (1000000)`,
  `CREATE TABLE {schema}.payload (
      sid bigint NOT NULL, hash text COLLATE "C" NOT NULL, data text NOT NULL, PRIMARY KEY (sid, hash))`,
  `CREATE TABLE {schema}.checkpoint (
      sid bigint PRIMARY KEY, seq bigint NOT NULL, fence bigint NOT NULL, record text NOT NULL)`,
  `CREATE TABLE {schema}.inbox (
      sid bigint NOT NULL, message_id text COLLATE "C" NOT NULL,
      place bigint GENERATED ALWAYS AS IDENTITY,
      kind text NOT NULL, body text NOT NULL, digest text NOT NULL, attempts integer NOT NULL DEFAULT 1,
      arrived_at timestamptz NOT NULL DEFAULT clock_timestamp(),
      taken_seq bigint, taken_fence bigint, status text, response text,
      PRIMARY KEY (sid, message_id))`,
  `CREATE INDEX inbox_waiting ON {schema}.inbox (sid, place) WHERE taken_seq IS NULL`,
  `CREATE INDEX inbox_running ON {schema}.inbox (sid) WHERE taken_seq IS NOT NULL AND status IS NULL`,
  `CREATE TABLE {schema}.question (
      sid bigint NOT NULL, request_id text COLLATE "C" NOT NULL, asked_seq bigint NOT NULL,
      answer text, answered_by text, answered_at timestamptz, taken_seq bigint,
      PRIMARY KEY (sid, request_id))`,
  `CREATE INDEX question_open ON {schema}.question (sid) WHERE taken_seq IS NULL`,
];
