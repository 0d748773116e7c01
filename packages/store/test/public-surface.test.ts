import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type {
  AffinityResolver,
  CreateSessionInput,
  Session,
  SessionQuery,
  SessionResolvableMessage,
  SessionState,
  SessionStore,
  SessionStoreAdapter,
  SessionStoreConfig,
} from '@robota-sdk/agent-store';
import * as root from '@robota-sdk/agent-store';
import { expect, expectTypeOf, it } from 'vitest';

it('exports every value of the contract', () => {
  expect(Object.keys(root)).toEqual(
    expect.arrayContaining([
      'createSessionStore',
      'defaultAffinityResolver',
      'InMemorySessionStoreAdapter',
      'resolveSession',
      'SessionConflictError',
      'SessionNotFoundError',
      'SessionStateError',
    ]),
  );
});

it('exports the types of the contract', () => {
  expectTypeOf<Session['state']>().toEqualTypeOf<SessionState>();
  expectTypeOf<CreateSessionInput>().toHaveProperty('initialSurfaceId');
  expectTypeOf<SessionQuery['state']>().toEqualTypeOf<SessionState | SessionState[] | undefined>();
  expectTypeOf<SessionStoreConfig['adapter']>().toEqualTypeOf<SessionStoreAdapter>();
  expectTypeOf<ReturnType<SessionStore['sweepStale']>>().toEqualTypeOf<Promise<Session[]>>();
  expectTypeOf<ReturnType<AffinityResolver['resolve']>>().toEqualTypeOf<Promise<Session | null>>();
  expectTypeOf<SessionResolvableMessage>().toHaveProperty('surfaceId');
  expectTypeOf(root.createSessionStore).returns.toExtend<SessionStore>();
});

it('the root entry imports no driver, no Node module and no other package', () => {
  const packages = new Set<string>();
  const visited = new Set<string>();
  const visit = (file: string): void => {
    if (visited.has(file)) return;
    visited.add(file);
    const source = readFileSync(file, 'utf8');
    for (const [, specifier = ''] of source.matchAll(/(?:from|import\()\s*'([^']+)'/g)) {
      if (specifier.startsWith('.')) visit(join(dirname(file), specifier));
      else packages.add(specifier);
    }
  };

  visit(join(import.meta.dirname, '../src/index.ts'));

  expect([...packages]).toEqual([]);
});
