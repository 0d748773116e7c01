/** Flags of every `robota archive` subcommand. */
export const ARCHIVE_FLAGS = {
  archive: { type: 'string' },
  json: { type: 'boolean' },
  debug: { type: 'boolean' },
} as const;
