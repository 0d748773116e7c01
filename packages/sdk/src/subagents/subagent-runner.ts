import { randomUUID } from 'node:crypto';
import type { EngineEvent, HooksConfig } from '@robota-sdk/agent-core';
import type { Session } from '@robota-sdk/agent-session';
import type { AssemblyScene } from '../assembly/session-extension.ts';
import type { AgentDefinition } from './agent-definition.ts';
import { createSubagentLogger } from './create-subagent-logger.ts';
import { createSubagentSession } from './create-subagent-session.ts';
import { Slots } from './slots.ts';
import { SubagentThread, type ThreadIdentity } from './subagent-thread.ts';

/** One piece of work for a subagent. */
export interface SubagentTask extends Pick<ThreadIdentity, 'toolUseId' | 'job' | 'isDetached'> {
  readonly definition: AgentDefinition;
  readonly prompt: string;
  readonly model?: string | undefined;
  readonly isForkWorker?: boolean | undefined;
  readonly signal: AbortSignal;
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
  readonly #scene: AssemblyScene;
  readonly #slots = new Slots(MAX_CONCURRENT_SUBAGENTS);
  readonly #saidOnce = new Set<string>();

  constructor(scene: AssemblyScene) {
    this.#scene = scene;
  }

  /** Never rejects: a subagent that fails has a report that says so. */
  run(task: SubagentTask): Promise<SubagentReport> {
    return this.#slots.run(() => this.#work(task));
  }

  async #work(task: SubagentTask): Promise<SubagentReport> {
    const agentId = randomUUID();
    const started = Date.now();
    const { definition, toolUseId, job, isDetached, prompt: input } = task;
    const agentType = definition.name;
    const identity = { agentId, agentType, input, toolUseId, job, isDetached };
    const thread = new SubagentThread(
      identity,
      task.isForHook ? () => {} : this.#scene.streamEvent,
    );
    thread.start();
    const ending = await this.#answer(task, agentId, thread);
    const report = { agentId, agentType, durationMs: Date.now() - started, ...ending };
    thread.end(report);
    return report;
  }

  async #answer(
    task: SubagentTask,
    agentId: string,
    thread: SubagentThread,
  ): Promise<Pick<SubagentReport, 'success' | 'output' | 'errorCode'>> {
    let session: Session | undefined;
    const abort = () => session?.abort();
    task.signal.addEventListener('abort', abort, { once: true });
    try {
      task.signal.throwIfAborted();
      session = this.#session(task, agentId, (event) => {
        thread.hear(event);
        if (session) this.#count(session, event);
      });
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

  #session(task: SubagentTask, agentId: string, hear: (event: EngineEvent) => void): Session {
    const scene = this.#scene;
    const { session: parent, tools, permissions } = scene.standing();
    const { logDirectory, sessionId, cwd, options } = scene;
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
      parentConfig: scene.config,
      parentContext: scene.context,
      parentTools: tools,
      provider: scene.provider,
      parentModel: model,
      model: task.model,
      isForkWorker: task.isForkWorker,
      permissionMode: parent.getPermissionMode(),
      permissions: { ...permissions, allow },
      permissionHandler: scene.askPermission,
      cwd,
      sessionId: agentId,
      ownerPath: [sessionId],
      onEngineEvent: hear,
      onNotice: ({ message }) => scene.notice(`${agentType}: ${message}`),
      onModelNotice: (message) => this.#sayOnce(message),
      subagent: { agentId, agentType, ...(transcriptPath !== undefined && { transcriptPath }) },
      ...this.#hooks(task),
      ...(logger && { sessionLogger: logger }),
      ...(task.onText && { onTextDelta: task.onText }),
      ...(options.providerTimeout !== undefined && { providerTimeout: options.providerTimeout }),
    });
  }

  #hooks({ isForHook }: SubagentTask): {
    hooks?: HooksConfig;
    hookTypeExecutors?: ReturnType<AssemblyScene['standing']>['hookTypeExecutors'];
  } {
    if (isForHook) return {};
    const { hooks, hookTypeExecutors } = this.#scene.standing();
    return { hooks, hookTypeExecutors };
  }

  /** Every answered request is counted as it comes, so that an interrupted subagent is paid for too. */
  #count(session: Session, event: EngineEvent): void {
    if (event.type !== 'provider_response_normalized') return;
    const last = session.getUsage().at(-1);
    if (!last?.usage) return;
    this.#scene.countRequest({ model: last.model, cause: 'subagent', usage: last.usage });
  }

  #sayOnce(message: string): void {
    if (this.#saidOnce.has(message)) return;
    this.#saidOnce.add(message);
    this.#scene.notice(message);
  }
}
