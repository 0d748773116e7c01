import {
  type HooksConfig,
  type HookTypeExecutor,
  mergeHooks,
  type Tool,
} from '@robota-sdk/agent-core';
import type { CommandSource } from '../commands/command.ts';
import type { SystemCommand } from '../commands/system-command.ts';
import type {
  Contribution,
  ExtensionContext,
  PreparedPrompt,
  PromptPreparation,
  SessionExtension,
} from './session-extension.ts';

/** The combined contributions of all extensions. */
export interface Contributions {
  readonly tools: readonly Tool[];
  readonly hooks: HooksConfig;
  readonly hookTypeExecutors: readonly HookTypeExecutor[];
  readonly allow: readonly string[];
  readonly deny: readonly string[];
  readonly promptSections: readonly string[];
  readonly commandSources: readonly CommandSource[];
  readonly commands: readonly SystemCommand[];
  readonly replacedCommands: readonly SystemCommand[];
  /** Lets every extension add to a prompt, in order. */
  readonly preparePrompt: (prompt: PreparedPrompt) => Promise<PreparedPrompt>;
  dispose(): Promise<void>;
}

/** Calls the extensions in order; later ones see the tools of earlier ones. One that fails is skipped with a notice. */
export async function collectContributions(
  extensions: readonly SessionExtension[],
  context: ExtensionContext,
): Promise<Contributions> {
  const given: Contribution[] = [];
  for (const extension of extensions) {
    const tools = [...context.tools, ...given.flatMap((contribution) => contribution.tools ?? [])];
    try {
      given.push(await extension.extend({ ...context, tools }));
    } catch (error) {
      context.notice(`${extension.name} could not be loaded: ${(error as Error).message}`);
    }
  }
  return combine(given, context);
}

function combine(given: readonly Contribution[], context: ExtensionContext): Contributions {
  return {
    tools: given.flatMap((contribution) => contribution.tools ?? []),
    hooks: mergeHooks(...given.map((contribution) => contribution.hooks ?? {})),
    hookTypeExecutors: given.flatMap((contribution) => contribution.hookTypeExecutors ?? []),
    allow: given.flatMap((contribution) => contribution.permissions?.allow ?? []),
    deny: given.flatMap((contribution) => contribution.permissions?.deny ?? []),
    promptSections: given.flatMap((contribution) => contribution.promptSections ?? []),
    commandSources: given.flatMap((contribution) => contribution.commandSources ?? []),
    commands: given.flatMap((contribution) => contribution.commands ?? []),
    replacedCommands: given.flatMap((contribution) => contribution.replacedCommands ?? []),
    preparePrompt: inOrder(given.flatMap((contribution) => contribution.preparePrompt ?? [])),
    async dispose() {
      for (const contribution of given.toReversed()) {
        try {
          await contribution.dispose?.();
        } catch (error) {
          context.notice(`An extension could not be closed: ${(error as Error).message}`);
        }
      }
    },
  };
}

function inOrder(preparations: readonly PromptPreparation[]): Contributions['preparePrompt'] {
  return async (prompt) => {
    let prepared = prompt;
    for (const prepare of preparations) prepared = await prepare(prepared);
    return prepared;
  };
}
