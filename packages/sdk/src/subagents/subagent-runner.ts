import { randomUUID } from 'node:crypto';
import { type HooksConfig, type Message, readUsage } from '@robota-sdk/agent-core';
import type { Entry } from '@robota-sdk/agent-core/log';
import type { Session } from '@robota-sdk/agent-session';
import type { ExtensionContext } from '../assembly/session-extension.ts';
import type { AgentDefinition } from './agent-definition.ts';
import { createSubagentLogger } from './create-subagent-logger.ts';
import { createSubagentSession } from './create-subagent-session.ts';
import { Slots } from './slots.ts';

/** One piece of work for a subagent. */
export interface SubagentTask {
  readonly definition: AgentDefinition;
  readonly prompt: string;
  readonly model?: string | undefined;
  readonly isForkWorker?: boolean | undefined;
  readonly signal: AbortSignal;
  /** The call that stands for it alone; without one it shows a block of its own. */
  readonly toolUseId?: string | undefined;
  /** Beside others of one call, from 1. */
  readonly job?: { readonly toolUseId: string; readonly number: number } | undefined;
  /** The call was answered before the work was done. */
  readonly isDetached?: boolean | undefined;
  /** Work for a hook: it fires no hooks and is not shown as a thread. */
  readonly isForHook?: boolean | undefined;
  readonly onText?: ((delta: string) => void) | undefined;
}

export interface SubagentReport {
  readonly agentId: string;
  readonly agentType: string;
  readonly success: boolean;
  /** The answer, or what went wrong. */
  readonly output: string;
  readonly errorCode?: 'interrupted' | 'subagent_failed';
  readonly durationMs: number;
}

/** Subagents of one session that work at the same time. */
const MAX_CONCURRENT_SUBAGENTS = 4;

/** Runs subagents for one session: with its rules, its people to ask, its log and its account. */
export class SubagentRunner {
  readonly #context: ExtensionContext;
  readonly #slots = new Slots(MAX_CONCURRENT_SUBAGENTS);
  readonly #saidOnce = new Set<string>();

  constructor(context: ExtensionContext) {
    this.#context = context;
  }

  /** Never rejects: a subagent that fails has a report that says so. */
  run(task: SubagentTask): Promise<SubagentReport> {
    return this.#slots.run(() => this.#work(task));
  }

  async #work(task: SubagentTask): Promise<SubagentReport> {
    const agentId = randomUUID();
    const started = Date.now();
    const { definition, toolUseId, job, isDetached, isForHook, prompt: input } = task;
    const agentType = definition.name;
    const log = isForHook ? () => {} : this.#context.log;
    log('subagent_started', { agentId, agentType, input, toolUseId, job, isDetached });
    const ending = await this.#answer(task, agentId);
    const report = { agentId, agentType, durationMs: Date.now() - started, ...ending };
    const { success, output, durationMs } = report;
    log('subagent_ended', { agentId, success, output, durationMs });
    return report;
  }

  async #answer(
    task: SubagentTask,
    agentId: string,
  ): Promise<Pick<SubagentReport, 'success' | 'output' | 'errorCode'>> {
    let session: Session | undefined;
    const abort = () => session?.abort();
    task.signal.addEventListener('abort', abort, { once: true });
    try {
      task.signal.throwIfAborted();
      session = this.#session(task, agentId, (entry) => this.#hear(entry, agentId, task));
      const answer = await session.run(task.prompt);
      return { success: true, output: answer || '(the subagent said nothing)' };
    } catch (error) {
      if (task.signal.aborted) {
        return {
          success: false,
          output: 'The subagent was interrupted.',
          errorCode: 'interrupted',
        };
      }
      const output = `Sub-agent error: ${(error as Error).message}`;
      return { success: false, output, errorCode: 'subagent_failed' };
    } finally {
      task.signal.removeEventListener('abort', abort);
      await session?.shutdown();
    }
  }

  /** Every answered request is counted as it comes, so that an interrupted subagent is paid for too. */
  #hear(entry: Entry, agentId: string, { isForHook }: SubagentTask): void {
    if (this.#isForEverybody(entry)) this.#logQuestion(entry, agentId);
    else if (!isForHook) this.#context.relay({ ...entry, thread: agentId });
    if (entry.event !== 'provider_response_normalized') return;
    const { model, response } = entry;
    const usage = readUsage(response as Message);
    if (usage) this.#context.log('subagent_usage', { agentId, model, usage });
  }

  /** Where a subagent has no log that others can read, what it asks a person stands in its parent's. */
  #isForEverybody({ event }: Entry): boolean {
    const { logDirectory, options } = this.#context;
    const isQuestion = event === 'permission_request' || event === 'permission_resolved';
    return isQuestion && logDirectory === undefined && options.sessionLogger !== undefined;
  }

  #logQuestion({ n: _n, time: _time, event, ...fields }: Entry, agentId: string): void {
    this.#context.log(event, { ...fields, thread: agentId });
  }

  #session(task: SubagentTask, agentId: string, hear: (entry: Entry) => void): Session {
    const context = this.#context;
    const { session: parent, tools, permissions } = context.ready();
    const { logDirectory, sessionId, cwd, options } = context;
    const logger =
      logDirectory === undefined
        ? undefined
        : createSubagentLogger(sessionId, agentId, logDirectory);
    const transcriptPath = logger?.getFilePath?.(agentId);
    const allow = [...(permissions.allow ?? []), ...parent.getSessionAllowedTools()];
    const model = parent.getModel?.();
    const agentType = task.definition.name;
    return createSubagentSession({
      agentDefinition: task.definition,
      parentConfig: context.config,
      parentContext: context.projectContext,
      parentTools: tools,
      provider: context.provider,
      parentModel: model,
      model: task.model,
      isForkWorker: task.isForkWorker,
      permissionMode: parent.getPermissionMode(),
      permissions: { ...permissions, allow },
      permissionHandler: context.permissionHandler,
      cwd,
      sessionId: agentId,
      ownerPath: [sessionId],
      onEntry: hear,
      onNotice: ({ message }) => context.notice(`${agentType}: ${message}`),
      onModelNotice: (message) => this.#sayOnce(message),
      subagent: { agentId, agentType, ...(transcriptPath !== undefined && { transcriptPath }) },
      ...this.#hooks(task),
      sessionLogger: logger,
      // Nobody resumes a subagent, so nobody needs what it was told.
      vault: false,
      onTextDelta: task.onText,
      providerTimeout: options.providerTimeout,
    });
  }

  #hooks({ isForHook }: SubagentTask): {
    hooks?: HooksConfig;
    hookTypeExecutors?: ReturnType<ExtensionContext['ready']>['hookTypeExecutors'];
  } {
    if (isForHook) return {};
    const { hooks, hookTypeExecutors } = this.#context.ready();
    return { hooks, hookTypeExecutors };
  }

  #sayOnce(message: string): void {
    if (this.#saidOnce.has(message)) return;
    this.#saidOnce.add(message);
    this.#context.notice(message);
  }
}
