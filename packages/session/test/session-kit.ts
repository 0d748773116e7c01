import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Provider, Tool } from '@robota-sdk/agent-core';
import {
  Session,
  type SessionLogData,
  type SessionLogger,
  type SessionOptions,
  type TerminalOutput,
} from '@robota-sdk/agent-session';
import { onTestFinished } from 'vitest';

/** A terminal nobody sits at. */
export const quietTerminal: TerminalOutput = {
  write() {},
  writeLine() {},
  writeMarkdown() {},
  writeError() {},
  prompt: async () => '',
  select: async () => 0,
  spinner: () => ({ stop() {}, update() {} }),
};

export function temporaryDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), 'robota-session-'));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  return directory;
}

export interface LoggedEvent {
  readonly sessionId: string;
  readonly event: string;
  readonly data: SessionLogData;
}

/** Keeps every event as it was handed over. */
export class RecordingLogger implements SessionLogger {
  readonly events: LoggedEvent[] = [];

  log(sessionId: string, event: string, data: SessionLogData): void {
    this.events.push({ sessionId, event, data });
  }

  names(): string[] {
    return this.events.map(({ event }) => event);
  }

  all(event: string): SessionLogData[] {
    return this.events.filter((logged) => logged.event === event).map(({ data }) => data);
  }
}

/** A session with quiet surroundings; it is shut down when the test ends. */
export function startSession(
  provider: Provider,
  options: Partial<SessionOptions> & { readonly tools?: readonly Tool[] } = {},
): Session {
  const session = new Session({
    provider,
    tools: [],
    systemMessage: 'You help.',
    terminal: quietTerminal,
    ...options,
  });
  onTestFinished(() => session.shutdown());
  return session;
}
