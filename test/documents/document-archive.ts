import { createDatabase } from '../../apps/cli/test/support/archive-nodes.ts';
import { findPostgres, reportMissing } from '../../packages/store/test/databases/servers.ts';
import type { ShellBlock } from './read-document.ts';

/** The database that the documents name. */
const WRITTEN = 'postgres://robota@db.internal/robota';

/** Nodes that serve the archive until the place of the document is gone. */
const TWO_NODES = [
  'for node in one two; do',
  '  robota serve --archive "$ROBOTA_ARCHIVE" --node "$node" > "$node.log" 2>&1 &',
  'done',
  `until [ "$(robota archive stats | grep -c '^Node')" = 2 ]; do sleep 0.2; done`,
];

/** An empty database for the blocks of one document. */
export interface DocumentArchive extends AsyncDisposable {
  readonly url: string;
}

/** `undefined`, and a message, where there is no PostgreSQL and none can be started. */
export async function openDocumentArchive(): Promise<DocumentArchive | undefined> {
  const server = await findPostgres();
  if (server === undefined) {
    reportMissing('PostgreSQL', 'ROBOTA_TEST_POSTGRES_URL');
    return undefined;
  }
  const database = await createDatabase(server.url);
  return {
    url: database.url,
    async [Symbol.asyncDispose]() {
      await database[Symbol.asyncDispose]();
      await server.stop();
    },
  };
}

/** The block with a real database instead of the one that is written; `undefined` where it needs one and has none. */
export function forArchive(
  block: ShellBlock,
  archive: DocumentArchive | undefined,
): ShellBlock | undefined {
  if (block.needs === 'nothing') return block;
  if (archive === undefined) return undefined;
  const lines = [
    `export ROBOTA_ARCHIVE='${archive.url}'`,
    ...(block.needs === 'two nodes' ? TWO_NODES : []),
    block.text.replaceAll(WRITTEN, archive.url),
  ];
  return { ...block, text: lines.join('\n') };
}
