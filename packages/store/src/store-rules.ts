import { SessionInputError } from './errors/session-input-error.ts';
import type { MetadataLayout } from './metadata-layout.ts';
import type { SessionStoreConfig } from './session-store.ts';

/** The validated configuration with defaults. */
export interface StoreRules {
  readonly ttlMs: number;
  readonly suspendedTtlMs: number | undefined;
  readonly exclusiveSurfaces: boolean;
  readonly maxSurfaces: number;
  readonly staleOnRead: boolean;
  readonly layout: MetadataLayout | undefined;
}

const ONE_HOUR_MS = 3_600_000;

export function readRules(config: SessionStoreConfig): StoreRules {
  const { suspendedTtlMs, maxSurfaces = Number.POSITIVE_INFINITY, metadata } = config;
  if (maxSurfaces !== Number.POSITIVE_INFINITY) requirePositiveInteger(maxSurfaces, 'maxSurfaces');
  if (metadata !== undefined) requirePositiveInteger(metadata.version, 'metadata.version');
  return {
    ttlMs: requireDuration(config.defaultTtlMs ?? ONE_HOUR_MS, 'defaultTtlMs'),
    suspendedTtlMs:
      suspendedTtlMs === undefined ? undefined : requireDuration(suspendedTtlMs, 'suspendedTtlMs'),
    exclusiveSurfaces: config.surfaceSlots === 'exclusive',
    maxSurfaces,
    staleOnRead: config.staleOnRead ?? false,
    layout: metadata,
  };
}

/** Milliseconds from 0; infinity means never. */
export function requireDuration(value: number, field: string): number {
  if (typeof value === 'number' && value >= 0) return value;
  throw new SessionInputError(
    field,
    `must be a number of milliseconds from 0, not ${String(value)}`,
  );
}

function requirePositiveInteger(value: number, field: string): void {
  if (Number.isSafeInteger(value) && value >= 1) return;
  throw new SessionInputError(field, `must be a whole number from 1, not ${String(value)}`);
}
