import { contextWindowState, type Message, type PermissionMode } from '@robota-sdk/agent-core';
import type {
  InteractiveSession,
  InteractiveSessionEvents,
  SessionPort,
} from '@robota-sdk/agent-sdk';

/** A ready-made session with the required methods only, whose runs the test lets go. */
export interface ScriptedSession extends SessionPort {
  readonly runs: {
    readonly args: unknown[];
    finish(response: string): void;
    fail(error: Error): void;
  }[];
  readonly injected: { role: string; content: string }[];
  messages: Message[];
}

export function scriptedSession(id = 'injected-1'): ScriptedSession {
  let mode: PermissionMode = 'default';
  let abortRun: (() => void) | undefined;
  const session: ScriptedSession = {
    runs: [],
    injected: [],
    messages: [],
    run(...args: unknown[]) {
      return new Promise((resolve, reject) => {
        abortRun = () => reject(new DOMException('Aborted', 'AbortError'));
        session.runs.push({ args, finish: resolve, fail: reject });
      });
    },
    abort: () => abortRun?.(),
    getHistory: () => session.messages,
    getContextState: () => contextWindowState(1_234, 200_000),
    clearHistory() {
      session.messages = [];
    },
    getPermissionMode: () => mode,
    setPermissionMode(next) {
      mode = next;
    },
    getSessionId: () => id,
    getSystemMessage: () => 'system prompt',
    getToolSchemas: () => [],
    getMessageCount: () => session.runs.length,
    getSessionAllowedTools: () => [],
    compact: () => Promise.resolve(),
    injectMessage(role, content) {
      session.injected.push({ role, content });
    },
  };
  return session;
}

/** Every event of a session as it is told, name first. */
export function recordEvents(
  session: InteractiveSession,
  names: readonly (keyof InteractiveSessionEvents)[],
): unknown[][] {
  const seen: unknown[][] = [];
  for (const name of names) {
    session.on(name, (...facts: unknown[]) => {
      seen.push([name, ...facts]);
    });
  }
  return seen;
}

/** Lets everything that is due happen. */
export async function settle(): Promise<void> {
  for (let turn = 0; turn < 10; turn++) await new Promise((resolve) => setImmediate(resolve));
}
