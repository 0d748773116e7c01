import { copyMetadata } from './json-metadata.ts';
import type { StoredSession } from './stored-session.ts';

/** The layout of the product's metadata, so that fields can come and go between releases. */
export interface MetadataLayout {
  /** A whole number from 1, raised with every change of layout. */
  readonly version: number;
  /** Brings metadata of an older version (0: written before there was a layout) to this one. Must only compute. */
  migrate(metadata: Record<string, unknown>, fromVersion: number): Record<string, unknown>;
}

/** The session with its metadata in today's layout. Metadata of a newer release is left alone. */
export function inLayout(
  session: StoredSession,
  layout: MetadataLayout | undefined,
): StoredSession {
  const written = session.metadataVersion ?? 0;
  if (layout === undefined || written >= layout.version) return session;
  const metadata = copyMetadata(layout.migrate(session.metadata, written));
  return { ...session, metadata, metadataVersion: layout.version };
}
