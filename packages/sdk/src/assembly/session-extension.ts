import type {
  HooksConfig,
  HookTypeExecutor,
  MessagePart,
  Provider,
  Tool,
  ToolParameters,
} from '@robota-sdk/agent-core';
import type { Entry } from '@robota-sdk/agent-core/log';
import type {
  PermissionContext,
  PermissionHandler,
  PermissionResult,
  SessionPermissions,
} from '@robota-sdk/agent-session';
import type { CommandSource } from '../commands/command.ts';
import type { SystemCommand } from '../commands/system-command.ts';
import type { ResolvedConfig } from '../config/resolved-config.ts';
import type { ProjectContext } from '../context/load-context.ts';
import type { SubmitOutcome } from '../interactive/execution-result.ts';
import type { AssembledSessionOptions } from '../interactive/options.ts';
import type { EngineQuestion } from '../interactive/permission-broker.ts';
import type { QueuedPrompt } from '../interactive/prompt-queue.ts';
import type { SessionPort } from '../interactive/session-port.ts';
import type { LiveAnswer } from '../live/live-question.ts';

/**
 * Port: adds skills, agents, plugins or servers to a session while it is assembled. `extend` is called once, before
 * the first prompt; what it opens it closes in `dispose`. A rejection becomes a notice with the extension's name, and
 * the session starts without it.
 */
export interface SessionExtension {
  readonly name: string;
  extend(context: ExtensionContext): Promise<Contribution> | Contribution;
}

/** What an extension receives when it is called. */
export interface ExtensionContext extends ExtensionHost {
  readonly sessionId: string;
  readonly cwd: string;
  readonly provider: Provider;
  readonly options: AssembledSessionOptions;
  readonly config: ResolvedConfig;
  readonly projectContext: ProjectContext;
  readonly trusted: boolean;
  /** The tools so far, before any permission gate. */
  readonly tools: readonly Tool[];
  /** Where logs are kept; undefined where nothing may be written. */
  readonly logDirectory: string | undefined;
  /** The assembled session; throws until assembly is done. */
  readonly ready: () => ReadySession;
}

/** How an extension notifies and asks the session's users, at any time. */
export interface ExtensionHost {
  /** `kind` defaults to `extension`. */
  readonly notice: (message: string, kind?: string) => void;
  /** Writes an entry into the session's log. */
  readonly log: (event: string, fields: Record<string, unknown>) => void;
  /** Publishes an entry that is stored in a subagent's log. */
  readonly relay: (entry: Entry) => void;
  /** Asks everyone who may answer for this session. */
  readonly askPermission: RequestPermission;
  /** Asks a user for more than permission, such as the approval of a plan or a choice. */
  readonly ask: AskQuestion;
  /** Answers the questions of another session, such as a subagent's. */
  readonly permissionHandler: PermissionHandler;
  readonly addHistoryEvent: (type: string, data: unknown) => void;
  readonly submit: (prompt: QueuedPrompt) => Promise<SubmitOutcome>;
  /** Aborts when the current work is cancelled or the session ends. */
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

/** Asks for permission without a tool call of the model. */
export type RequestPermission = (
  toolName: string,
  toolArgs: ToolParameters,
  request: Pick<PermissionContext, 'explanation' | 'signal'>,
) => Promise<PermissionResult>;

/** Asks a question on every surface and resolves with the answer. */
export type AskQuestion = (
  question: Omit<EngineQuestion, 'requestId'> & { readonly signal: AbortSignal },
) => Promise<{
  readonly answer: LiveAnswer;
  /** Who or what answered: `nobody` when no surface could, `abort` when the question was cancelled. */
  readonly by: string | undefined;
}>;

/** The assembled session and what it was assembled from. */
export interface ReadySession {
  readonly session: SessionPort;
  /** All tools, before any permission gate. */
  readonly tools: readonly Tool[];
  /** Replaces them from the next request on. */
  readonly setTools: (tools: readonly Tool[]) => void;
  readonly permissions: SessionPermissions & {
    /** Where a rule came from: a file, `built in`, `command line`. */
    readonly layers?: Readonly<Record<string, string>>;
  };
  /** Disables a rule for the rest of this session. */
  readonly withdrawRule: (rule: string) => void;
  readonly hooks: HooksConfig;
  readonly hookTypeExecutors: readonly HookTypeExecutor[];
}

/** What an extension adds to a session. */
export interface Contribution {
  readonly tools?: readonly Tool[];
  readonly hooks?: HooksConfig;
  readonly hookTypeExecutors?: readonly HookTypeExecutor[];
  readonly permissions?: { readonly allow?: readonly string[]; readonly deny?: readonly string[] };
  /** Complete sections of the system prompt, including the heading. */
  readonly promptSections?: readonly string[];
  readonly commandSources?: readonly CommandSource[];
  /** A built-in command of the same name takes precedence. */
  readonly commands?: readonly SystemCommand[];
  /** Replace built-in commands of the same name. */
  readonly replacedCommands?: readonly SystemCommand[];
  readonly preparePrompt?: PromptPreparation;
  readonly dispose?: () => Promise<void> | void;
}

/** What the model is sent instead of, or along with, what was typed. Surfaces still show what was typed. */
export interface PreparedPrompt {
  readonly input: string;
  readonly parts?: readonly MessagePart[] | undefined;
}

/** Changes a prompt before it is sent to the model. */
export type PromptPreparation = (
  prompt: PreparedPrompt,
) => Promise<PreparedPrompt> | PreparedPrompt;
