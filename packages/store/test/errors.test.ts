import {
  SessionConflictError,
  SessionNotFoundError,
  SessionStateError,
  SessionStoreUnavailableError,
} from '@robota-sdk/agent-store';
import { expect, it } from 'vitest';

it.each([
  [
    new SessionNotFoundError('s1'),
    { name: 'SessionNotFoundError', message: 'Session not found: s1', sessionId: 's1' },
  ],
  [
    new SessionConflictError('s1'),
    { name: 'SessionConflictError', message: 'Session already exists: s1', sessionId: 's1' },
  ],
  [
    new SessionStateError('s1', 'expired', 'touch'),
    {
      name: 'SessionStateError',
      message: "Invalid transition 'touch' from state 'expired' for session s1",
      sessionId: 's1',
      currentState: 'expired',
      attemptedTransition: 'touch',
    },
  ],
])('%s has its details as fields', (error, facts) => {
  expect(error).toBeInstanceOf(Error);
  expect(error).toMatchObject(facts);
});

it('SessionStoreUnavailableError names the operation and says whether it may have been written', () => {
  const cause = new Error('connection reset');

  const error = new SessionStoreUnavailableError('change session s1', {
    outcome: 'unknown',
    cause,
  });

  expect(error.message).toBe(
    'Cannot change session s1: the session database is unavailable (connection reset); it may have been written; read the session before doing it again',
  );
  expect(error.cause).toBe(cause);
});
