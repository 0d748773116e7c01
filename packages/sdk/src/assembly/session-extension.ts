import type {
  HooksConfig,
  HookTypeExecutor,
  MessagePart,
  Provider,
  Tool,
} from '@robota-sdk/agent-core';
import type { PermissionHandler, SessionPermissions } from '@robota-sdk/agent-session';
import type { StreamEvent } from '@robota-sdk/agent-transcript';
import type { CommandSource } from '../commands/command.ts';
import type { SystemCommand } from '../commands/system-command.ts';
import type { ResolvedConfig } from '../config/resolved-config.ts';
import type { ProjectContext } from '../context/load-context.ts';
import type { SubmitOutcome } from '../interactive/execution-result.ts';
import type { ModelRequest } from '../interactive/ledger.ts';
import type { AssembledSessionOptions } from '../interactive/options.ts';
import type { QueuedPrompt } from '../interactive/prompt-queue.ts';
import type { SessionPort } from '../interactive/session-port.ts';

/**
 * Port: something that adds to a session while it is put together: skills, agents, plugins, servers. `extend`
 * is called once, before the first prompt; what it opens it closes in `dispose`. A rejection is shown as a
 * notice with the extension's name, and the session starts without it.
 */
export interface SessionExtension {
  readonly name: string;
  extend(scene: AssemblyScene): Promise<Contribution> | Contribution;
}

/** What is known when extensions are asked. */
export interface AssemblyScene extends SessionDoors {
  readonly sessionId: string;
  readonly cwd: string;
  readonly provider: Provider;
  readonly options: AssembledSessionOptions;
  readonly config: ResolvedConfig;
  readonly context: ProjectContext;
  readonly trusted: boolean;
  /** The tools so far, before any permission gate. */
  readonly tools: readonly Tool[];
  /** Where logs are kept; undefined where nothing may be written. */
  readonly logDirectory: string | undefined;
  /** The session that was put together; throws until it stands. */
  readonly standing: () => StandingSession;
}

/** What an extension may tell the session's people and ask of them, at any time. */
export interface SessionDoors {
  readonly notice: (message: string) => void;
  /** Tells surfaces about another thread, such as a subagent's. */
  readonly streamEvent: (event: StreamEvent) => void;
  /** Counts a model request that the session itself does not make. */
  readonly countRequest: (request: ModelRequest) => void;
  /** Puts a question to everybody who may answer for this session. */
  readonly askPermission: PermissionHandler;
  readonly addHistoryEvent: (type: string, data: unknown) => void;
  readonly addHistoryMessage: (role: 'user' | 'assistant', content: string) => void;
  readonly submit: (prompt: QueuedPrompt) => Promise<SubmitOutcome>;
  /** Aborts when somebody calls off what the session is doing, or ends it. */
  readonly abortSignal: () => AbortSignal;
  /** Settles once no prompt runs and none waits. */
  readonly idle: () => Promise<void>;
  /** Fields of the saved record that belong to extensions. */
  readonly record: {
    readonly get: (field: string) => unknown;
    readonly set: (field: string, value: unknown) => void;
    readonly save: () => void;
  };
}

/** What became of everything that was given. */
export interface StandingSession {
  readonly session: SessionPort;
  /** All tools, before any permission gate. */
  readonly tools: readonly Tool[];
  /** Replaces them from the next request on. */
  readonly setTools: (tools: readonly Tool[]) => void;
  readonly permissions: SessionPermissions;
  readonly hooks: HooksConfig;
  readonly hookTypeExecutors: readonly HookTypeExecutor[];
}

export interface Contribution {
  readonly tools?: readonly Tool[];
  readonly hooks?: HooksConfig;
  readonly hookTypeExecutors?: readonly HookTypeExecutor[];
  readonly permissions?: { readonly allow?: readonly string[]; readonly deny?: readonly string[] };
  /** Whole sections of the system prompt, heading included. */
  readonly promptSections?: readonly string[];
  readonly commandSources?: readonly CommandSource[];
  /** Run by name; a built-in command of the same name stays. */
  readonly commands?: readonly SystemCommand[];
  readonly preparePrompt?: PromptPreparation;
  readonly dispose?: () => Promise<void> | void;
}

/** What the model is sent in place of, or beside, what was typed. Surfaces go on showing what was typed. */
export interface PreparedPrompt {
  readonly input: string;
  readonly parts?: readonly MessagePart[];
}

export type PromptPreparation = (
  prompt: PreparedPrompt,
) => Promise<PreparedPrompt> | PreparedPrompt;
