/** Table names, qualified with the schema if given. */
export function tableNames(schema?: string) {
  const prefix = schema === undefined ? '' : `"${schema.replaceAll('"', '""')}".`;
  return {
    sessions: `${prefix}robota_sessions`,
    surfaces: `${prefix}robota_session_surfaces`,
    leases: `${prefix}robota_session_leases`,
    schema: `${prefix}robota_session_schema`,
  } as const;
}

export type TableNames = ReturnType<typeof tableNames>;

/** Column types of a database. */
export interface ColumnTypes {
  /** Text compared byte by byte. */
  readonly text: string;
  /** Integer milliseconds. */
  readonly time: string;
}

/**
 * Each entry migrates the database from the previous version to its own (counted from 1). Entries are never changed, only added.
 * Every index ends in the sort order: newest activity, newest creation, id.
 */
export function migrations(tables: TableNames, { text, time }: ColumnTypes): readonly string[][] {
  const order = 'activity_key, creation_key, id';
  return [
    [
      `CREATE TABLE ${tables.sessions} (id ${text} PRIMARY KEY, user_id ${text} NOT NULL, workspace_id ${text},
        state ${text} NOT NULL, activity_key ${time} NOT NULL, creation_key ${time} NOT NULL,
        changed_at ${time} NOT NULL, revision ${text} NOT NULL, record ${text} NOT NULL)`,
      `CREATE INDEX robota_sessions_by_user ON ${tables.sessions} (user_id, state, ${order})`,
      `CREATE INDEX robota_sessions_by_workspace ON ${tables.sessions} (workspace_id, state, ${order})
        WHERE workspace_id IS NOT NULL`,
      `CREATE INDEX robota_sessions_by_state ON ${tables.sessions} (state, ${order})`,
      `CREATE INDEX robota_sessions_suspended ON ${tables.sessions} (changed_at) WHERE state = 'suspended'`,
      `CREATE TABLE ${tables.surfaces} (id ${text} NOT NULL, surface_id ${text} NOT NULL, state ${text} NOT NULL,
        activity_key ${time} NOT NULL, creation_key ${time} NOT NULL, PRIMARY KEY (id, surface_id))`,
      `CREATE INDEX robota_session_surfaces_by_surface ON ${tables.surfaces} (surface_id, state, ${order})`,
      `CREATE TABLE ${tables.leases} (key ${text} PRIMARY KEY, holder ${text} NOT NULL, until ${time} NOT NULL)`,
    ],
  ];
}
