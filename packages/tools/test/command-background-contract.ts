import type { SandboxRunResult } from '@robota-sdk/agent-core';
import type { CommandBackground, CommandScope, ReadyCommand } from '@robota-sdk/agent-tools';
import { describe, expect, it } from 'vitest';

/** A background, and how a user moves an awaited command to it. */
export interface BackgroundUnderTest {
  readonly background: CommandBackground;
  move(): void;
  /** Ends the session that the background belongs to. */
  close(): Promise<void>;
}

const done: SandboxRunResult = {
  stdout: 'out',
  stderr: '',
  exitCode: 0,
  timedOut: false,
  droppedBytes: 0,
};

/** A command that ends on request, or with its signal. */
function heldCommand() {
  const scopes: CommandScope[] = [];
  let end: (result: SandboxRunResult) => void = () => undefined;
  const ready: ReadyCommand = {
    command: 'held',
    run(scope) {
      scopes.push(scope);
      return new Promise((resolve) => {
        end = resolve;
        scope.signal.addEventListener('abort', () => resolve({ ...done, exitCode: 143 }), {
          once: true,
        });
      });
    },
  };
  return { ready, scopes, end: (result = done) => end(result) };
}

const scope = (signal = new AbortController().signal, timeoutMs = 60_000): CommandScope => ({
  signal,
  timeoutMs,
  onOutput: () => undefined,
});

/** The contract of every `CommandBackground`. */
export function describeCommandBackground(name: string, make: () => BackgroundUnderTest): void {
  describe(`${name} as a background for commands`, () => {
    it('returns the result of a command, and streams its output meanwhile', async () => {
      const { background, close } = make();
      const printed: string[] = [];
      const held = heldCommand();
      const waiting = background.wait(held.ready, {
        ...scope(),
        onOutput: (text) => printed.push(text),
      });
      held.scopes[0]?.onOutput('line');
      held.end();

      expect(await waiting).toEqual(done);
      expect(printed).toEqual(['line']);
      await close();
    });

    it('runs a command once, whether awaited, started in the background or moved there', async () => {
      const { background, move, close } = make();
      const [waited, started] = [heldCommand(), heldCommand()];
      const waiting = background.wait(waited.ready, scope());

      const { text } = background.start(started.ready);
      move();

      expect(await waiting).toEqual({ text: expect.any(String) });
      expect(text).toEqual(expect.any(String));
      expect([waited.scopes.length, started.scopes.length]).toEqual([1, 1]);
      await close();
    });

    it('ends an awaited command on its signal and its timeout', async () => {
      const { background, close } = make();
      const turn = new AbortController();
      const [aborted, slow] = [heldCommand(), heldCommand()];
      const stopped = background.wait(aborted.ready, scope(turn.signal));
      const late = background.wait(slow.ready, scope(undefined, 1));

      turn.abort();

      expect(await stopped).toMatchObject({ exitCode: 143 });
      expect(await late).toMatchObject({ exitCode: 143, timedOut: true });
      await close();
    });

    it('keeps a moved command running after its turn, and ends it with the session', async () => {
      const { background, move, close } = make();
      const turn = new AbortController();
      const held = heldCommand();
      const waiting = background.wait(held.ready, scope(turn.signal));
      move();
      await waiting;

      turn.abort();
      const isEndedByTurn = held.scopes[0]?.signal.aborted;
      await close();

      expect([isEndedByTurn, held.scopes[0]?.signal.aborted]).toEqual([false, true]);
    });
  });
}
