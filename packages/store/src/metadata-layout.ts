import { copyMetadata } from './json-metadata.ts';
import type { StoredSession } from './stored-session.ts';

/** Versioned layout of the product's metadata, so that fields can change between releases. */
export interface MetadataLayout {
  /** An integer from 1, incremented with every change of layout. */
  readonly version: number;
  /** Migrates metadata of an older version (0: written before there was a layout). Must be pure. */
  migrate(metadata: Record<string, unknown>, fromVersion: number): Record<string, unknown>;
}

/** The session with its metadata in the current layout. Metadata of a newer release is not changed. */
export function inLayout(
  session: StoredSession,
  layout: MetadataLayout | undefined,
): StoredSession {
  const written = session.metadataVersion ?? 0;
  if (layout === undefined || written >= layout.version) return session;
  const metadata = copyMetadata(layout.migrate(session.metadata, written));
  return { ...session, metadata, metadataVersion: layout.version };
}
