import type { SandboxRunResult } from '@robota-sdk/agent-core';
import type { CommandBackground, CommandScope, ReadyCommand } from '@robota-sdk/agent-tools';
import { describe, expect, it } from 'vitest';

/** A background, and how a person moves what is waited for to it. */
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

/** A command that ends when it is told to, or with its signal. */
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

/** What every `CommandBackground` promises. */
export function describeCommandBackground(name: string, make: () => BackgroundUnderTest): void {
  describe(`${name} as a background for commands`, () => {
    it('hands back what a command came to, with what it printed meanwhile', async () => {
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

    it('runs a command once, whether it is waited for, started or moved', async () => {
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

    it('ends what is waited for with its signal and its timeout', async () => {
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

    it('lets what was moved go on when its turn ends, and ends it with the session', async () => {
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
