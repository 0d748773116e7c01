import {
  type AssembledSessionOptions,
  createProjectSessionStore,
  resolveSettings,
} from '@robota-sdk/agent-sdk';
import type { RunArguments } from '../arguments/parse-arguments.ts';
import { createProvider } from '../provider/create-provider.ts';
import { passedOverModels } from '../provider/passed-over-models.ts';
import { chooseProvider, type ProviderChoice } from '../provider/provider-choice.ts';
import { sessionCommands } from './session-commands.ts';

export interface SessionDefaults {
  readonly defaults: AssembledSessionOptions;
  readonly choice: ProviderChoice;
  /** Models named in the settings. */
  readonly models: readonly string[];
}

/** Provider and rules for a server's sessions, from the command line and the settings. */
export async function sessionDefaults(options: RunArguments): Promise<SessionDefaults> {
  const cwd = process.cwd();
  const trust = options.trust ? true : undefined;
  const { config } = await resolveSettings({ cwd, trust });
  const choice = chooseProvider({
    provider: options.provider,
    model: options.model,
    baseUrl: options.baseUrl,
    profile: config.provider,
    profiles: config.providers ?? {},
    models: config.models ?? [],
    environment: process.env,
  });
  const { provider, model } = await createProvider(choice);
  return {
    choice,
    models: (config.models ?? []).flatMap(({ model: named, isForClaude }) =>
      named === undefined || (isForClaude && choice.kind !== 'anthropic') ? [] : [named],
    ),
    defaults: {
      cwd,
      provider,
      model,
      trust,
      queueDepth: 32,
      permissionMode: options.permissionMode,
      allowedTools: options.allowedTools,
      deniedTools: options.deniedTools,
      mcpServers: options.mcpServers,
      everyday: true,
      extensions: [passedOverModels(choice)],
      commands: sessionCommands(),
      maxTurns: options.maxTurns,
      confine: options.sandbox,
      systemPrompt: options.systemPrompt,
      appendSystemPrompt: options.appendSystemPrompt,
      language: options.language,
      ...(options.persistence
        ? { sessionStore: createProjectSessionStore(cwd) }
        : { persistence: false }),
    },
  };
}
