import {
  assertProvider,
  type HookFunctions,
  type HookTypeExecutor,
  type MessagePart,
  MissingOptionError,
  type ModelOptions,
  type PermissionMode,
  type Provider,
  type Tool,
  type ToolSandbox,
} from '@robota-sdk/agent-core';
import type { SessionLogger, SessionRecordStore } from '@robota-sdk/agent-session';
import { assertGivenInCode } from '../assembly/check-options.ts';
import type { SessionExtension } from '../assembly/session-extension.ts';
import type { BackgroundTask } from '../background/background-task.ts';
import type { SystemCommand } from '../commands/system-command.ts';
import type { ResolvedConfig } from '../config/resolved-config.ts';
import type { McpServerSetting, Settings } from '../config/settings.ts';
import type { WorkspaceTrust } from '../config/trust.ts';
import type { ProjectContext } from '../context/load-context.ts';
import type { PluginInCode } from '../plugins/bundle-plugin.ts';
import type { SkillInCode } from '../skills/skill.ts';
import type { AgentDefinition } from '../subagents/agent-definition.ts';
import type { Attachment } from './attachments.ts';
import type { InteractivePermissionHandler } from './permission-broker.ts';
import type { SessionPort } from './session-port.ts';

/** Only `cwd` and `provider` are required; what is given in code is not read from disk. */
export type InteractiveSessionOptions = AssembledSessionOptions | InjectedSessionOptions;

/** Options of a session that is assembled from them; only `cwd` and `provider` are required. */
export interface AssembledSessionOptions extends ModelOptions, PersistenceOptions, SurfaceOptions {
  /** An existing directory. */
  readonly cwd: string;
  readonly provider: Provider;
  readonly session?: undefined;
  readonly permissionMode?: PermissionMode | undefined;
  /** Maximum rounds per prompt; unlimited when omitted. */
  readonly maxTurns?: number | undefined;
  /** When given, no settings file is read. */
  readonly config?: ResolvedConfig | undefined;
  /** Settings of the command line; they win over every settings file. */
  readonly settings?: Settings | undefined;
  /** When given, no AGENTS.md or CLAUDE.md is read. */
  readonly context?: ProjectContext | undefined;
  /**
   * Reads nothing from the directory, the user or the machine: no settings, instructions, skills, agents, plugins,
   * servers or trust. Only what is given in code applies.
   */
  readonly bare?: boolean | undefined;
  /** Added to the built-in tools; one of the same name replaces the built-in one. */
  readonly tools?: readonly Tool[] | undefined;
  /** False: only `tools` and the tools of servers, skills, agents and extensions. */
  readonly builtinTools?: boolean | undefined;
  /**
   * Adds what users know from other agents: a to-do list, plans to approve, questions, background commands, and
   * commands such as `init`, `memory`, `mcp` and `hooks`.
   */
  readonly everyday?: boolean | undefined;
  /** Called with all background tasks whenever one of them changes. */
  readonly onBackgroundTasks?: ((tasks: readonly BackgroundTask[]) => void) | undefined;
  /** Tools that may always run, by name or rule. */
  readonly allowedTools?: readonly string[] | undefined;
  readonly deniedTools?: readonly string[] | undefined;
  /** Added to the hooks of the settings. */
  readonly hooks?: HookFunctions | undefined;
  readonly hookTypeExecutors?: readonly HookTypeExecutor[] | undefined;
  readonly mcpServers?: Readonly<Record<string, McpServerSetting>> | undefined;
  /** Replace the skills and commands on disk. */
  readonly skills?: readonly SkillInCode[] | undefined;
  /** Replace the agents on disk; the built-in ones remain. */
  readonly agents?: readonly AgentDefinition[] | undefined;
  /** Replace the installed plugins. */
  readonly plugins?: readonly PluginInCode[] | undefined;
  readonly extensions?: readonly SessionExtension[] | undefined;
  readonly trust?: WorkspaceTrust | undefined;
  /** Replaces the assembled system prompt. */
  readonly systemPrompt?: string | undefined;
  readonly appendSystemPrompt?: string | undefined;
  readonly language?: string | undefined;
  readonly sandbox?: ToolSandbox | undefined;
  /**
   * Wraps the sandbox of the tools, for example with an editor whose buffers are newer than the files; `env` holds the
   * variables for commands.
   */
  readonly aroundSandbox?:
    | ((inner: ToolSandbox, env: Readonly<Record<string, string>>) => ToolSandbox)
    | undefined;
  /** Whether commands on this machine are confined; defaults to the setting `sandbox`. */
  readonly confine?: 'on' | 'auto' | 'off' | undefined;
  /** A snapshot of the sandbox to start from. */
  readonly sandboxSnapshotId?: string | undefined;
  readonly autoCompactThreshold?: number | false | undefined;
  readonly onCompact?: ((summary: string) => void) | undefined;
  readonly agentName?: string | undefined;
}

/** Uses a ready-made session; nothing is read from disk or assembled. */
export interface InjectedSessionOptions extends PersistenceOptions, SurfaceOptions {
  readonly session: SessionPort;
  readonly cwd: string;
  readonly provider?: Provider | undefined;
}

interface PersistenceOptions {
  /** Where the record is saved after each prompt; without one nothing is written. */
  readonly sessionStore?: SessionRecordStore | undefined;
  /** `true`: the default store of `~/.robota`. `false`: nothing is written, whatever else is given. */
  readonly persistence?: boolean | undefined;
  readonly sessionLogger?: SessionLogger | undefined;
  /** Where the log is written; defaults to the store's log directory. */
  readonly logDirectory?: string | undefined;
  /** False: secret values are stored nowhere, and a resumed model sees placeholders instead. */
  readonly vault?: boolean | undefined;
  /** The id of a new session; defaults to a random UUID. */
  readonly sessionId?: string | undefined;
  readonly sessionName?: string | undefined;
  readonly resumeSessionId?: string | undefined;
  /** Copies the resumed conversation to a new id and leaves the original unchanged. */
  readonly forkSession?: boolean | undefined;
  /** Where a fork ends: before the prompt with this block id, or after any other block. */
  readonly forkAt?: string | undefined;
  /** Shows a saved session without becoming its writer; prompts are refused. */
  readonly readOnly?: boolean | undefined;
}

interface SurfaceOptions {
  readonly permissionHandler?: InteractivePermissionHandler | undefined;
  /** Maximum queued prompts. With 1 (the default) a new prompt replaces the queued one. */
  readonly queueDepth?: number | undefined;
  /** Added to the built-in commands; one of the same name replaces the built-in one. */
  readonly commands?: readonly SystemCommand[] | undefined;
}

/** What a prompt carries besides its text. */
export interface SubmitOptions {
  /** Images and files, by path or as bytes. */
  readonly attachments?: readonly Attachment[] | undefined;
  /** Attachments already converted to message parts. */
  readonly parts?: readonly MessagePart[] | undefined;
  /** The sender, where several users share a session. */
  readonly user?: string | undefined;
  /** The sender's own id for it. */
  readonly messageId?: string | undefined;
}

/** Checks the type only; an empty prompt is refused on submit. */
export function assertPrompt(what: string, prompt: unknown): asserts prompt is string {
  if (typeof prompt !== 'string') throw new MissingOptionError(what, 'prompt', 'a text');
}

/** Throws early for options that would otherwise fail deep inside. */
export function assertSessionOptions(
  options: Partial<InteractiveSessionOptions> | undefined,
): void {
  if (options?.session) return;
  assertProvider('An InteractiveSession', options?.provider);
  if (typeof options?.cwd !== 'string' || options.cwd === '') {
    throw new MissingOptionError('An InteractiveSession', 'cwd', 'an existing directory');
  }
  assertGivenInCode(options as Partial<AssembledSessionOptions>);
}
