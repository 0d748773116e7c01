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
  PermissionHandler,
  PermissionRequest,
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
 * Port: something that adds to a session while it is put together: skills, agents, plugins, servers. `extend`
 * is called once, before the first prompt; what it opens it closes in `dispose`. A rejection is shown as a
 * notice with the extension's name, and the session starts without it.
 */
export interface SessionExtension {
  readonly name: string;
  extend(context: ExtensionContext): Promise<Contribution> | Contribution;
}

/** What is known when extensions are asked. */
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
  /** The session that was assembled; throws until it is. */
  readonly ready: () => ReadySession;
}

/** What an extension may tell the session's people and ask of them, at any time. */
export interface ExtensionHost {
  /** `kind` says what it is about; `extension` unless it is told. */
  readonly notice: (message: string, kind?: string) => void;
  /** Writes an entry into the session's log. */
  readonly log: (event: string, fields: Record<string, unknown>) => void;
  /** Tells of an entry that a subagent's log keeps. */
  readonly relay: (entry: Entry) => void;
  /** Puts a question to everybody who may answer for this session. */
  readonly askPermission: AskPermission;
  /** Asks a person for more than permission: what they think of a plan, what they choose. */
  readonly ask: AskQuestion;
  /** Answers the questions of another session, such as a subagent's. */
  readonly permissionHandler: PermissionHandler;
  readonly addHistoryEvent: (type: string, data: unknown) => void;
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

/** Puts a question that stands for no tool call of the model. */
export type AskPermission = (
  toolName: string,
  toolArgs: ToolParameters,
  request: Pick<PermissionRequest, 'explanation' | 'signal'>,
) => Promise<PermissionResult>;

/** Asks a person something on every surface, and resolves with the answer. */
export type AskQuestion = (
  question: Omit<EngineQuestion, 'requestId'> & { readonly signal: AbortSignal },
) => Promise<{
  readonly answer: LiveAnswer;
  /** Who or what gave it: `nobody` where nobody could, `abort` where nobody waits any more. */
  readonly by: string | undefined;
}>;

/** What became of everything that was given. */
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
  /** Takes a rule out of force for the rest of this session. */
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
  /** Whole sections of the system prompt, heading included. */
  readonly promptSections?: readonly string[];
  readonly commandSources?: readonly CommandSource[];
  /** Run by name; a built-in command of the same name stays. */
  readonly commands?: readonly SystemCommand[];
  /** Take the place of built-in commands of the same name. */
  readonly replacedCommands?: readonly SystemCommand[];
  readonly preparePrompt?: PromptPreparation;
  readonly dispose?: () => Promise<void> | void;
}

/** What the model is sent in place of, or beside, what was typed. Surfaces go on showing what was typed. */
export interface PreparedPrompt {
  readonly input: string;
  readonly parts?: readonly MessagePart[] | undefined;
}

/** Changes what the model is sent before it is sent. */
export type PromptPreparation = (
  prompt: PreparedPrompt,
) => Promise<PreparedPrompt> | PreparedPrompt;
