/** The names of the archive's tables, with their schema: poolers refuse a search path. */
export interface Tables {
  readonly schema: string;
  readonly version: string;
  readonly node: string;
  readonly session: string;
  readonly event: string;
  readonly payload: string;
  readonly checkpoint: string;
  readonly inbox: string;
  readonly question: string;
  /** Encrypted secrets of sessions. */
  readonly vault: string;
  /** Sessions of other agents' programs: records, transcripts in pieces, files. */
  readonly agentSession: string;
  readonly agentTranscript: string;
  readonly piece: string;
  readonly agentFile: string;
  /** Tables of the catalogue. */
  readonly catalogueTurn: string;
  readonly catalogueSession: string;
  readonly catalogueBlock: string;
  readonly catalogueUsage: string;
  readonly catalogueLabel: string;
  /** The channel for notifications. */
  readonly channel: string;
}

export function tablesIn(schema: string): Tables {
  const quoted = `"${schema.replaceAll('"', '""')}"`;
  const table = (name: string) => `${quoted}.${name}`;
  return {
    schema: quoted,
    version: table('archive_version'),
    node: table('node'),
    session: table('session'),
    event: table('event'),
    payload: table('payload'),
    checkpoint: table('checkpoint'),
    inbox: table('inbox'),
    question: table('question'),
    vault: table('vault'),
    agentSession: table('agent_session'),
    agentTranscript: table('agent_transcript'),
    piece: table('piece'),
    agentFile: table('agent_file'),
    catalogueTurn: table('catalogue_turn'),
    catalogueSession: table('catalogue_session'),
    catalogueBlock: table('catalogue_block'),
    catalogueUsage: table('catalogue_usage'),
    catalogueLabel: table('catalogue_label'),
    channel: `archive_${schema}`.slice(0, 63),
  };
}
