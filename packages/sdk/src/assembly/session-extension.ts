import type { HooksConfig, HookTypeExecutor, Provider, Tool } from '@robota-sdk/agent-core';
import type { StreamEvent } from '@robota-sdk/agent-transcript';
import type { CommandSource } from '../commands/command.ts';
import type { ResolvedConfig } from '../config/resolved-config.ts';
import type { ProjectContext } from '../context/load-context.ts';
import type { ModelRequest } from '../interactive/ledger.ts';

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
export interface AssemblyScene {
  readonly sessionId: string;
  readonly cwd: string;
  readonly provider: Provider;
  readonly config: ResolvedConfig;
  readonly context: ProjectContext;
  readonly trusted: boolean;
  /** The tools so far, before any permission gate. */
  readonly tools: readonly Tool[];
  readonly notice: (message: string) => void;
  /** Tells surfaces about another thread, such as a subagent's. */
  readonly streamEvent: (event: StreamEvent) => void;
  /** Counts a model request that the session itself does not make. */
  readonly countRequest: (request: ModelRequest) => void;
}

export interface Contribution {
  readonly tools?: readonly Tool[];
  readonly hooks?: HooksConfig;
  readonly hookTypeExecutors?: readonly HookTypeExecutor[];
  readonly permissions?: { readonly allow?: readonly string[]; readonly deny?: readonly string[] };
  /** Whole sections of the system prompt, heading included. */
  readonly promptSections?: readonly string[];
  readonly commandSources?: readonly CommandSource[];
  readonly dispose?: () => Promise<void> | void;
}
