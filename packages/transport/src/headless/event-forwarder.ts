import type { LiveSession, ModelCost, SubmitOutcome } from '@robota-sdk/agent-sdk';
import type { Denial, HeadlessResult, HeadlessWriter } from './headless-writer.ts';

type UnmeasuredResult = Omit<HeadlessResult, 'turns' | 'durationMs' | 'costs'>;

/** Forwards a session's events to a writer and collects the facts of the result. */
export class EventForwarder {
  readonly #session: LiveSession;
  readonly #writer: HeadlessWriter;
  #denials: Denial[] = [];
  #since = { at: process.uptime() * 1000, requests: 0 };

  constructor(session: LiveSession, writer: HeadlessWriter) {
    this.#session = session;
    this.#writer = writer;
    session.on('tool_end', (tool) => {
      const { result, toolName, firstArg, reason, deniedBy } = tool;
      writer.tool(tool);
      if (result !== 'denied') return;
      this.#denials.push({ toolName, argument: firstArg, reason, deniedBy });
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
    // `init` is the first line; events follow.
    session.on('stream_event', (event, sequence) =>
      this.#writer.streamEvent(event, sequence, session.sessionId),
    );
  }

  /** Starts counting time and requests for the next result. */
  async begin(): Promise<void> {
    this.#since = { at: process.uptime() * 1000, requests: countMain(await this.#costs()) };
  }

  /**
   * Writes the result of one prompt and resolves with the exit code. `object` is a structured answer, which then is
   * the result.
   */
  report(outcome: SubmitOutcome, object?: unknown): Promise<number> {
    const ended = this.#toResult(outcome);
    const result =
      object === undefined
        ? ended
        : { ...ended, result: JSON.stringify(object), structuredOutput: object };
    this.#denials = [];
    return this.#write(result);
  }

  reportMessage(message: string, success: boolean): Promise<number> {
    return this.#write({
      ...this.#frame(),
      subtype: success ? 'success' : 'error',
      result: message,
      errorCode: success ? undefined : 'command_failed',
    });
  }

  reportError(error: Error): Promise<number> {
    return this.report({ status: 'failed', error, endedBy: 'error' });
  }

  async #write(result: UnmeasuredResult): Promise<number> {
    const durationMs = process.uptime() * 1000 - this.#since.at;
    const costs = await this.#costs();
    const turns = Math.max(0, countMain(costs) - this.#since.requests);
    this.#writer.result({ ...result, durationMs, turns, costs });
    // Scripts would take exit code 0 to mean that the session can be resumed.
    if (result.subtype === 'success' && result.saveProblem !== undefined) return EXIT_CODES.error;
    return EXIT_CODES[result.subtype];
  }

  async #costs(): Promise<ModelCost[] | undefined> {
    return this.#writer.wantsCosts ? this.#session.getCosts() : undefined;
  }

  #toResult(outcome: SubmitOutcome): UnmeasuredResult {
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

  #frame(): Omit<UnmeasuredResult, 'subtype' | 'result'> {
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

/** Requests of the main conversation; subagents, compactions and failed attempts do not count as turns. */
function countMain(costs: readonly ModelCost[] = []): number {
  return costs.reduce((sum, { causes }) => sum + (causes.main ?? 0), 0);
}

const EXIT_CODES = { success: 0, error: 1, interrupted: 130 } as const;

function codeOf(error: Error): string {
  if ('code' in error && typeof error.code === 'string') return error.code;
  return 'kind' in error && typeof error.kind === 'string' ? error.kind : 'error';
}
