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

/** `cwd` and `provider` are enough; what is given in code is not read from disk. */
export type InteractiveSessionOptions = AssembledSessionOptions | InjectedSessionOptions;

/** What a session is made with; everything but `cwd` and `provider` may be left out. */
export interface AssembledSessionOptions extends ModelOptions, PersistenceOptions, SurfaceOptions {
  /** An existing directory. */
  readonly cwd: string;
  readonly provider: Provider;
  readonly session?: undefined;
  readonly permissionMode?: PermissionMode | undefined;
  /** Model and tool rounds of one prompt; no cap when left out. */
  readonly maxTurns?: number | undefined;
  /** Given, no settings file is read. */
  readonly config?: ResolvedConfig | undefined;
  /** What the command line says: wins over every settings file. */
  readonly settings?: Settings | undefined;
  /** Given, no AGENTS.md or CLAUDE.md is read. */
  readonly context?: ProjectContext | undefined;
  /**
   * Reads nothing of the directory, the user and the machine: no settings, instructions, skills, agents, plugins,
   * servers and no trust. What is given in code counts.
   */
  readonly bare?: boolean | undefined;
  /** Beside the built-in tools; one of the same name replaces it. */
  readonly tools?: readonly Tool[] | undefined;
  /** False: the session has no tools but `tools` and those of servers, skills, agents and extensions. */
  readonly builtinTools?: boolean | undefined;
  /**
   * Adds what people know from other agents' terminals: a list of things to do, plans to approve, questions,
   * commands in the background, and commands such as `init`, `memory`, `mcp` and `hooks`.
   */
  readonly everyday?: boolean | undefined;
  /** Told of all background tasks whenever one of them changes. */
  readonly onBackgroundTasks?: ((tasks: readonly BackgroundTask[]) => void) | undefined;
  /** Tools that may always run, by name or rule. */
  readonly allowedTools?: readonly string[] | undefined;
  readonly deniedTools?: readonly string[] | undefined;
  /** Beside those of the settings. */
  readonly hooks?: HookFunctions | undefined;
  readonly hookTypeExecutors?: readonly HookTypeExecutor[] | undefined;
  readonly mcpServers?: Readonly<Record<string, McpServerSetting>> | undefined;
  /** In place of the skills and commands on disk. */
  readonly skills?: readonly SkillInCode[] | undefined;
  /** In place of the agents on disk, beside the built-in ones. */
  readonly agents?: readonly AgentDefinition[] | undefined;
  /** In place of the installed plugins. */
  readonly plugins?: readonly PluginInCode[] | undefined;
  readonly extensions?: readonly SessionExtension[] | undefined;
  readonly trust?: WorkspaceTrust | undefined;
  /** In place of the assembled system prompt. */
  readonly systemPrompt?: string | undefined;
  readonly appendSystemPrompt?: string | undefined;
  readonly language?: string | undefined;
  readonly sandbox?: ToolSandbox | undefined;
  /**
   * Puts something around where tools act, such as an editor whose buffers are newer than the files; `env` are the
   * variables that commands are to see.
   */
  readonly aroundSandbox?:
    | ((inner: ToolSandbox, env: Readonly<Record<string, string>>) => ToolSandbox)
    | undefined;
  /** How the system holds commands on this machine; the settings' `sandbox` when left out. */
  readonly confine?: 'on' | 'auto' | 'off' | undefined;
  /** A snapshot of the sandbox to start from. */
  readonly sandboxSnapshotId?: string | undefined;
  readonly autoCompactThreshold?: number | false | undefined;
  readonly onCompact?: ((summary: string) => void) | undefined;
  readonly agentName?: string | undefined;
}

/** Runs on a ready-made session; nothing is read and nothing is assembled. */
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
  /** Where the log is kept, when the store does not say. */
  readonly logDirectory?: string | undefined;
  /** False: the values of secrets are kept nowhere, and a resumed model sees placeholders in their place. */
  readonly vault?: boolean | undefined;
  /** The id of a new session; a fresh UUID when left out. */
  readonly sessionId?: string | undefined;
  readonly sessionName?: string | undefined;
  readonly resumeSessionId?: string | undefined;
  /** Copies the resumed conversation to a new id and leaves the original alone. */
  readonly forkSession?: boolean | undefined;
  /** Where a fork ends: before the prompt with this block id, or after any other block. */
  readonly forkAt?: string | undefined;
  /** Shows a saved session without becoming its writer; prompts are refused. */
  readonly readOnly?: boolean | undefined;
}

interface SurfaceOptions {
  readonly permissionHandler?: InteractivePermissionHandler | undefined;
  /** Prompts that may wait; with one, the last wins. */
  readonly queueDepth?: number | undefined;
  /** Beside the built-in ones; one of the same name replaces it. */
  readonly commands?: readonly SystemCommand[] | undefined;
}

/** What goes with a prompt beside its words. */
export interface SubmitOptions {
  /** Images and files, by path or as bytes. */
  readonly attachments?: readonly Attachment[] | undefined;
  /** The same as parts of a message, where a caller has them already. */
  readonly parts?: readonly MessagePart[] | undefined;
  /** Who sends it, where several people can. */
  readonly user?: string | undefined;
  /** The sender's own id for it. */
  readonly messageId?: string | undefined;
}

/** A prompt has to be a text; an empty one is refused when it is submitted. */
export function assertPrompt(what: string, prompt: unknown): asserts prompt is string {
  if (typeof prompt !== 'string') throw new MissingOptionError(what, 'prompt', 'a text');
}

/** Says at once what would otherwise fail somewhere deep inside. */
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
