import type { LiveSession, SubmitOutcome } from '@robota-sdk/agent-sdk';
import type { Denial, HeadlessResult, HeadlessWriter } from './headless-writer.ts';

/** Follows a session for a writer and gathers what the result line says. */
export class SessionWatch {
  readonly #session: LiveSession;
  readonly #writer: HeadlessWriter;
  #denials: Denial[] = [];

  constructor(session: LiveSession, writer: HeadlessWriter) {
    this.#session = session;
    this.#writer = writer;
    session.on('tool_end', ({ result, toolName, firstArg, reason }) => {
      if (result === 'denied') this.#denials.push({ toolName, argument: firstArg, reason });
    });
  }

  async announce(): Promise<void> {
    const session = this.#session;
    await session.whenReady();
    this.#writer.init({
      session_id: session.sessionId,
      cwd: session.getCwd(),
      model: session.getModel(),
      permission_mode: session.getPermissionMode(),
      agent: session.agent,
      tools: session.listTools(),
      commands: session.listCommands().map(({ name }) => name),
    });
    // The first line says what the session is; its events follow.
    session.on('stream_event', (event, sequence) =>
      this.#writer.streamEvent(event, sequence, session.sessionId),
    );
  }

  /** Writes the result of one prompt and says with which code the process would exit. */
  report(outcome: SubmitOutcome): number {
    const result = this.#toResult(outcome);
    this.#denials = [];
    this.#writer.result(result);
    // Whoever waits for the exit code takes 0 for an answer that can be come back to.
    if (result.subtype === 'success' && result.saveProblem !== undefined) return EXIT_CODES.error;
    return EXIT_CODES[result.subtype];
  }

  reportMessage(message: string, success: boolean): number {
    const subtype = success ? 'success' : 'error';
    this.#writer.result({
      ...this.#frame(),
      subtype,
      result: message,
      errorCode: success ? undefined : 'command_failed',
    });
    return EXIT_CODES[subtype];
  }

  reportError(error: Error): number {
    return this.report({ status: 'failed', error, endedBy: 'error' });
  }

  #toResult(outcome: SubmitOutcome): HeadlessResult {
    switch (outcome.status) {
      case 'completed':
      case 'interrupted':
        return {
          ...this.#frame(),
          subtype: outcome.status === 'completed' ? 'success' : 'interrupted',
          result: outcome.result.response,
          usage: outcome.result.usage,
          endedBy: outcome.result.endedBy,
        };
      case 'failed':
        return {
          ...this.#frame(),
          subtype: 'error',
          result: outcome.error.message,
          errorCode: codeOf(outcome.error),
          endedBy: outcome.endedBy,
        };
      case 'superseded':
        return {
          ...this.#frame(),
          subtype: 'interrupted',
          result: 'Another prompt took its place.',
        };
      case 'refused':
        return { ...this.#frame(), subtype: 'error', result: outcome.reason, errorCode: 'refused' };
    }
  }

  #frame(): Omit<HeadlessResult, 'subtype' | 'result'> {
    return {
      sessionId: this.#session.sessionId,
      usage: undefined,
      errorCode: undefined,
      endedBy: undefined,
      denials: this.#denials,
      saveProblem: this.#session.getSaveProblem(),
    };
  }
}

const EXIT_CODES = { success: 0, error: 1, interrupted: 130 } as const;

function codeOf(error: Error): string {
  if ('code' in error && typeof error.code === 'string') return error.code;
  return 'kind' in error && typeof error.kind === 'string' ? error.kind : 'error';
}
