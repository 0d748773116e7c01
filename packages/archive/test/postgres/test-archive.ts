import {
  PostgresArchive,
  type PostgresArchiveOptions,
  PostgresNode,
  type PostgresNodeOptions,
} from '@robota-sdk/agent-archive/postgres';
import { onTestFinished } from 'vitest';
import { dropSchema } from './drop-schema.ts';

/** A schema of its own in the database; gone when the test is over. */
export async function testArchive(
  url: string,
  options: Partial<PostgresArchiveOptions> = {},
): Promise<{ archive: PostgresArchive; schema: string }> {
  const schema = `robota_test_${crypto.randomUUID().replaceAll('-', '')}`;
  const archive = new PostgresArchive({ ...options, url, schema });
  onTestFinished(async () => {
    await archive.close();
    await dropSchema(url, schema);
  });
  await archive.migrate();
  return { archive, schema };
}

/** A node that hears nothing and looks for nothing, unless told otherwise. */
export async function testNode(
  archive: PostgresArchive,
  options: Partial<PostgresNodeOptions> = {},
): Promise<PostgresNode> {
  const node = new PostgresNode({ archive, ttlMs: 5_000, lookMs: 60_000, ...options });
  onTestFinished(() => node.stop());
  await node.start({ onWork: () => undefined, onInbox: () => undefined, onError: () => undefined });
  return node;
}

/** A schema that the tests of a file share; `remove` ends it. */
export async function sharedArchive(
  url: string,
  options: Partial<PostgresArchiveOptions> = {},
): Promise<{ archive: PostgresArchive; remove(): Promise<void> }> {
  const schema = options.schema ?? `robota_test_${crypto.randomUUID().replaceAll('-', '')}`;
  const archive = new PostgresArchive({ ...options, url, schema });
  await archive.migrate();
  const remove = async () => {
    await archive.close();
    await dropSchema(url, schema);
  };
  return { archive, remove };
}

/** Takes the sessions of other agents away. */
export async function emptyArchive({ link, tables }: PostgresArchive): Promise<void> {
  const { agentSession, agentTranscript, piece, agentFile } = tables;
  await link.query(`TRUNCATE ${agentSession}, ${agentTranscript}, ${piece}, ${agentFile}`);
}
