import type { Catalogue, SessionLabels } from '@robota-sdk/agent-archive';
import type { HostArchive } from '@robota-sdk/agent-sdk';
import { archiveKey, archiveUrl } from './open-archive.ts';

export interface ServedArchive {
  /** Undefined: sessions exist only in this process. */
  readonly archive: HostArchive | undefined;
  /** Name of this node. */
  readonly node?: string | undefined;
  /** Sessions of all nodes, instead of those of this machine. */
  readonly catalogue?: SharedCatalogue | undefined;
  close(): Promise<void>;
}

interface SharedCatalogue {
  readonly catalogue: Catalogue;
  readonly labels: SessionLabels;
  isStale(): Promise<boolean>;
  /** Calls `listener` when any node reports a change; returns the unsubscribe function. */
  onChange(listener: () => void): () => void;
  close(): Promise<void>;
}

export interface ServedArchiveFlags {
  readonly archive?: readonly string[] | undefined;
  /** Name of this node; defaults to the host name and process id. */
  readonly node?: readonly string[] | undefined;
  /** Directories whose sessions may run here; defaults to all. */
  readonly workspace?: readonly string[] | undefined;
}

/** Flags of `robota serve` for an archive. */
export const ARCHIVE_SERVE_FLAGS = ['archive', 'node', 'workspace'];

/** Opens the archive that a server shares with other nodes and migrates its tables. */
export async function openServedArchive(flags: ServedArchiveFlags): Promise<ServedArchive> {
  const url = archiveUrl(flags.archive?.at(-1));
  if (url === undefined) return { archive: undefined, close: async () => undefined };
  const { PostgresArchive, PostgresCatalogue, PostgresNode } = await import(
    '@robota-sdk/agent-archive/postgres'
  );
  const { hostname } = await import('node:os');
  const directUrl = process.env.ROBOTA_ARCHIVE_DIRECT || undefined;
  const name = flags.node?.at(-1) ?? `${hostname()}-${process.pid}`;
  const times = timesFrom(process.env);
  const { ttlMs } = times;
  const key = await archiveKey();
  const archive = new PostgresArchive({ url, directUrl, node: name, key, ttlMs });
  const node = new PostgresNode({ archive, name, workspaces: flags.workspace, ...times });
  try {
    await archive.migrate();
  } catch (error) {
    await archive.close();
    throw error;
  }
  const { transcripts } = archive;
  const catalogue = new PostgresCatalogue({ archive, node: name });
  return {
    archive: { archive, node, transcripts },
    node: name,
    catalogue: {
      catalogue,
      labels: catalogue.labels,
      isStale: () => catalogue.isStale(),
      onChange: (listener) => catalogue.onChange(listener),
      close: () => catalogue.close(),
    },
    close: () => archive.close(),
  };
}

/** Lease duration and interval of the orphan check, in milliseconds, from the environment. */
function timesFrom(environment: NodeJS.ProcessEnv) {
  const ttlMs = Number(environment.ROBOTA_ARCHIVE_TTL_MS) || undefined;
  const lookMs = Number(environment.ROBOTA_ARCHIVE_LOOK_MS) || undefined;
  return { ttlMs, lookMs };
}
