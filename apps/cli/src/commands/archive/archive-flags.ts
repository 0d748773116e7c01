/** What every verb of `robota archive` takes. */
export const ARCHIVE_FLAGS = {
  archive: { type: 'string' },
  json: { type: 'boolean' },
  debug: { type: 'boolean' },
} as const;
