import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as core from '@robota-sdk/agent-core';
import type {
  IContextWindowState,
  IExternalPayloadReference,
  ISession,
  ISessionLogger,
  ISessionOptions,
  ISessionRecord,
  ISessionReplayRecord,
  ISessionShutdownOptions,
  ISessionStore,
  ISpinner,
  ITerminalOutput,
  TAutoCompactThreshold,
  TPermissionHandler,
  TPermissionResult,
  TSessionLogData,
} from '@robota-sdk/agent-session';
import * as session from '@robota-sdk/agent-session';
import { expect, expectTypeOf, it } from 'vitest';

const SOURCE = join(import.meta.dirname, '../src');

it('exports exactly the values of the public surface', () => {
  expect(Object.keys(session).sort()).toEqual([
    'CompactionOrchestrator',
    'ContextWindowTracker',
    'EntryLog',
    'FileSessionLogger',
    'INLINE_BYTES',
    'PayloadReader',
    'PayloadWriter',
    'PermissionEnforcer',
    'REOPEN_GAP',
    'RecordKeeper',
    'SavedFold',
    'Session',
    'SessionSecrets',
    'SessionStore',
    'SilentSessionLogger',
    'VAULT_SUFFIX',
    'VaultFile',
    'VaultLines',
    'acquireWriterLock',
    'allSnapshotFolders',
    'assertSessionId',
    'describeSaveFailure',
    'diskProblemOf',
    'entryOf',
    'initialPermissionMode',
    'isAbortError',
    'isAppendOf',
    'isFenced',
    'isSessionId',
    'loadSessionLogEntries',
    'messagesBefore',
    'modeForbidden',
    'openSavedSession',
    'openSecrets',
    'packRecord',
    'payloadFolder',
    'readLog',
    'readSessionLogEntries',
    'recoverTurn',
    'redact',
    'redactText',
    'replaySessionLog',
    'replaySessionLogEntries',
    'reviveDates',
    'scrubSessionFiles',
    'sessionError',
    'skippedLinesOf',
    'snapshotFolders',
    'unpackRecord',
    'validateSessionReplayLogEntries',
  ]);
});

it('offers every type of the specification under its own name', () => {
  expectTypeOf<ISession>().toEqualTypeOf<{ readonly sessionId: string }>();
  expectTypeOf<boolean | 'allow-session'>().toExtend<TPermissionResult>();
  expectTypeOf<(name: string) => Promise<boolean>>().toExtend<TPermissionHandler>();
  expectTypeOf<number | false>().toEqualTypeOf<TAutoCompactThreshold>();
  expectTypeOf<{ text: string; none: null; list: object }>().toExtend<TSessionLogData>();
  expectTypeOf<session.Session>().toExtend<ISession>();
  expectTypeOf<session.SessionStore>().toExtend<ISessionStore>();
  expectTypeOf<session.FileSessionLogger>().toExtend<ISessionLogger>();
  expectTypeOf<ISessionOptions>().toHaveProperty('terminal').toEqualTypeOf<ITerminalOutput>();
  expectTypeOf<ReturnType<ITerminalOutput['spinner']>>().toEqualTypeOf<ISpinner>();
  expectTypeOf<ISessionRecord>().toHaveProperty('history').toEqualTypeOf<unknown[]>();
  expectTypeOf<IExternalPayloadReference>().toHaveProperty('sha256').toEqualTypeOf<string>();
  expectTypeOf<ISessionReplayRecord>().toHaveProperty('messages');
  expectTypeOf<{ reason: 'logout' }>().toExtend<ISessionShutdownOptions>();
  expectTypeOf<IContextWindowState>().toEqualTypeOf<core.ContextWindowState>();

  const names = readFileSync(join(SOURCE, 'spec-names.ts'), 'utf8').match(/ as [IT][A-Z]\w+/g);
  expect(names).toHaveLength(15);
});

it('imports agent-core and node modules only', () => {
  const files = readdirSync(SOURCE, { recursive: true, encoding: 'utf8' });
  const imported = files
    .filter((file) => file.endsWith('.ts'))
    .flatMap((file) => [
      ...readFileSync(join(SOURCE, file), 'utf8').matchAll(/from '([^.'][^']*)'/g),
    ])
    .map(([, name]) => name ?? '')
    .filter((name) => !name.startsWith('node:'));

  expect([...new Set(imported)].sort()).toEqual([
    '@robota-sdk/agent-core',
    '@robota-sdk/agent-core/log',
  ]);
});

it('builds on the names core exports', () => {
  expect(Object.keys(core)).toEqual(
    expect.arrayContaining(['Robota', 'evaluatePermission', 'runHooks', 'TRUST_TO_MODE']),
  );
});

it('has the public methods the specification names', () => {
  const methods = (of: { prototype: object }) => Object.getOwnPropertyNames(of.prototype);

  expect(methods(session.PermissionEnforcer)).toEqual(
    expect.arrayContaining(['wrapTools', 'checkPermission', 'wrapToolWithPermission']),
  );
  expect(methods(session.ContextWindowTracker)).toEqual(
    expect.arrayContaining(['updateFromHistory', 'shouldAutoCompact']),
  );
  expect(methods(session.CompactionOrchestrator)).toContain('compact');
  expect(methods(session.FileSessionLogger)).toContain('log');
  expect(methods(session.Session)).toEqual(
    expect.arrayContaining([
      'run',
      'getPermissionMode',
      'setPermissionMode',
      'getSessionId',
      'getMessageCount',
      'clearHistory',
      'getHistory',
      'getFullHistory',
      'addHistoryEntry',
      'getContextState',
      'getAutoCompactThreshold',
      'setAutoCompactThreshold',
      'compact',
      'abort',
      'shutdown',
      'isRunning',
      'getSessionAllowedTools',
      'clearSessionAllowedTools',
      'injectMessage',
    ]),
  );
});

it('throws plain errors with a code', () => {
  try {
    session.assertSessionId('../evil');
    expect.unreachable();
  } catch (error) {
    expect(Object.getPrototypeOf(error)).toBe(Error.prototype);
    expect(error).toMatchObject({ code: 'invalid_session_id' });
  }
});
