import { setTimeout as delay } from 'node:timers/promises';
import postgres from 'postgres';
import { PostgresArchive, PostgresNode } from '../../packages/archive/src/postgres/index.ts';
import { dropSchema } from '../../packages/archive/test/postgres/drop-schema.ts';

/** By then a node knows that no other listens. */
const GREETED_MS = 1_500;

/** An archive in its own schema, a node, and the bare driver. */
export interface BenchArchive {
  readonly archive: PostgresArchive;
  readonly node: PostgresNode;
  readonly sql: postgres.Sql;
  readonly schema: string;
  /** Table for unguarded inserts. */
  readonly raw: string;
  /** The same archive as another node has it. */
  elsewhere(): PostgresArchive;
  close(): Promise<void>;
}

export async function openBenchArchive(url: string): Promise<BenchArchive> {
  const schema = `robota_bench_${crypto.randomUUID().replaceAll('-', '')}`;
  const archive = new PostgresArchive({ url, schema });
  await archive.migrate();
  const sql = postgres(url, { max: 4, onnotice: () => undefined });
  const raw = `"${schema}".raw`;
  await sql.unsafe(
    `CREATE TABLE ${raw} (sid bigint, seq bigint, n bigint, kind text, data text, PRIMARY KEY (sid, seq))`,
  );
  const node = new PostgresNode({ archive, ttlMs: 30_000, lookMs: 60_000 });
  const nothing = () => undefined;
  const others: PostgresArchive[] = [];
  await node.start({ onWork: nothing, onInbox: nothing, onError: nothing });
  await delay(GREETED_MS);
  return {
    archive,
    node,
    sql,
    schema,
    raw,
    elsewhere() {
      const other = new PostgresArchive({ url, schema });
      others.push(other);
      return other;
    },
    async close() {
      await Promise.all(others.map((other) => other.close()));
      await node.stop();
      await archive.close();
      await sql.end();
      await dropSchema(url, schema);
    },
  };
}

/** A line of about 200 bytes. */
export function benchLine(n: number): string {
  return `{"n":${n},"t":1700000000000,"event":"notice","message":"${'x'.repeat(150)}"}`;
}

export async function sinksOf({ archive, node }: BenchArchive, count: number) {
  return Promise.all(
    Array.from({ length: count }, async () => {
      const id = crypto.randomUUID();
      await archive.create(id, {});
      const sink = (await node.claim(id))?.logger.openSink?.(id);
      if (!sink) throw new Error('The session is free');
      return { id, append: async (text: string) => sink.append(text) };
    }),
  );
}
