import { randomUUID } from 'node:crypto';
import { type HooksConfig, type Message, readUsage } from '@robota-sdk/agent-core';
import type { Entry } from '@robota-sdk/agent-core/log';
import type { Session } from '@robota-sdk/agent-session';
import type { ExtensionContext } from '../assembly/session-extension.ts';
import type { AgentDefinition } from './agent-definition.ts';
import { createSubagentLogger } from './create-subagent-logger.ts';
import { createSubagentSession } from './create-subagent-session.ts';
import { Slots } from './slots.ts';

/** A task for a subagent. */
export interface SubagentTask {
  readonly definition: AgentDefinition;
  readonly prompt: string;
  readonly model?: string | undefined;
  readonly isForkWorker?: boolean | undefined;
  readonly signal: AbortSignal;
  /** The tool call that started only this task; without one the task gets its own block. */
  readonly toolUseId?: string | undefined;
  /** Set for one of several tasks of a call, numbered from 1. */
  readonly job?: { readonly toolUseId: string; readonly number: number } | undefined;
  /** True when the call returned before the task ended. */
  readonly isDetached?: boolean | undefined;
  /** True for a task of a hook: it fires no hooks and is not shown as a thread. */
  readonly isForHook?: boolean | undefined;
  readonly onText?: ((delta: string) => void) | undefined;
}

export interface SubagentReport {
  readonly agentId: string;
  readonly agentType: string;
  readonly success: boolean;
  /** The answer, or the error message. */
  readonly output: string;
  readonly errorCode?: 'interrupted' | 'subagent_failed';
  readonly durationMs: number;
}

/** Per session. */
const MAX_CONCURRENT_SUBAGENTS = 4;

/** Runs subagents for one session, with its rules, permission questions, log and usage. */
export class SubagentRunner {
  readonly #context: ExtensionContext;
  readonly #slots = new Slots(MAX_CONCURRENT_SUBAGENTS);
  readonly #reportedNotices = new Set<string>();

  constructor(context: ExtensionContext) {
    this.#context = context;
  }

  /** Never rejects: a failure is part of the report. */
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
      session = this.#session(task, agentId, (entry) => this.#handle(entry, agentId, task));
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

  /** Usage is logged per response, so that an interrupted subagent is counted too. */
  #handle(entry: Entry, agentId: string, { isForHook }: SubagentTask): void {
    if (this.#belongsInParentLog(entry)) this.#logQuestion(entry, agentId);
    else if (!isForHook) this.#context.relay({ ...entry, thread: agentId });
    if (entry.event !== 'provider_response_normalized') return;
    const { model, response } = entry;
    const usage = readUsage(response as Message);
    if (usage) this.#context.log('subagent_usage', { agentId, model, usage });
  }

  /** The questions of a subagent without a log file go to the parent's log, where other processes can read them. */
  #belongsInParentLog({ event }: Entry): boolean {
    const { logDirectory, options } = this.#context;
    const isQuestion = event === 'permission_request' || event === 'permission_resolved';
    return isQuestion && logDirectory === undefined && options.sessionLogger !== undefined;
  }

  #logQuestion({ n: _n, time: _time, event, ...fields }: Entry, agentId: string): void {
    this.#context.log(event, { ...fields, thread: agentId });
  }

  #session(task: SubagentTask, agentId: string, onEntry: (entry: Entry) => void): Session {
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
      onEntry,
      onNotice: ({ message }) => context.notice(`${agentType}: ${message}`),
      onModelNotice: (message) => this.#noticeOnce(message),
      subagent: { agentId, agentType, ...(transcriptPath !== undefined && { transcriptPath }) },
      ...this.#hooks(task),
      sessionLogger: logger,
      // A subagent is never resumed, so its secrets need no vault.
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

  #noticeOnce(message: string): void {
    if (this.#reportedNotices.has(message)) return;
    this.#reportedNotices.add(message);
    this.#context.notice(message);
  }
}
