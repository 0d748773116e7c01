import { z } from 'zod';

const text = z.string();
const texts = z.array(text);
/** Numbers and booleans are converted to text, as in env files. */
const written = z.union([text, z.number(), z.boolean()]).transform(String);
const textMap = z.record(text, written);

const retryPolicy = z.object({
  maxRetries: z.number().int().min(0).optional(),
  baseDelayMs: z.number().min(0).optional(),
  maxDelayMs: z.number().min(0).optional(),
  maxRetryAfterMs: z.number().min(0).optional(),
});

const providerProfile = z.object({
  type: text.optional(),
  name: text.optional(),
  model: text.optional(),
  apiKey: text.optional(),
  baseURL: text.optional(),
  timeout: z.number().positive().optional(),
  maxTokens: z.number().int().positive().optional(),
  temperature: z.number().min(0).optional(),
  thinking: z.enum(['off', 'low', 'medium', 'high']).optional(),
  retry: retryPolicy.optional(),
  stopSequences: texts.optional(),
  fallbackModels: texts.optional(),
  maxBudgetTokens: z.number().positive().optional(),
  maxBudgetUsd: z.number().positive().optional(),
  toolConcurrency: z.number().int().positive().optional(),
  contextMaxTokens: z.number().int().positive().optional(),
  options: z.record(text, z.unknown()).optional(),
});

const threshold = z.union([z.number().gt(0).lte(1), z.literal(false)]);

const marketplace = z.object({
  source: z.looseObject({
    type: text.optional(),
    source: text.optional(),
    repo: text.optional(),
    url: text.optional(),
    path: text.optional(),
    ref: text.optional(),
  }),
});

const mcpServer = z.looseObject({
  type: text.optional(),
  command: text.optional(),
  args: texts.optional(),
  env: textMap.optional(),
  url: text.optional(),
  headers: textMap.optional(),
});

/** A list, for arguments with spaces, or a text that is split at spaces. */
const commandLine = z
  .union([text, texts])
  .transform((given) => (typeof given === 'string' ? given.split(/\s+/) : given))
  .transform((words) => words.filter((word) => word !== ''))
  .refine((words) => words.length > 0, 'names no program');

const agentSetting = z.object({ command: commandLine.optional() });

export const permissionSettingsSchema = z.object({
  allow: texts.optional(),
  deny: texts.optional(),
  ask: texts.optional(),
  defaultMode: text.optional(),
  additionalDirectories: texts.optional(),
  disableBypassPermissionsMode: z.literal('disable').optional(),
});

/** Claude Code may write accepted versions instead of `true`. */
const isEnabled = z.union([z.boolean(), texts.transform(() => true)]);

/** Claude Code stores its own object under this name, which is ignored. */
const sandboxSetting = z.union([
  z.enum(['on', 'auto', 'off']),
  z.record(text, z.unknown()).transform(() => undefined),
]);

/** The keys of settings files, ours and Claude Code's; unknown keys are dropped. */
export const settingsSchema = z.object({
  defaultTrustLevel: z.enum(['safe', 'moderate', 'full']).optional(),
  language: text.optional(),
  model: text.optional(),
  currentProvider: text.optional(),
  providers: z.record(text, providerProfile).optional(),
  provider: providerProfile.optional(),
  permissions: permissionSettingsSchema.optional(),
  env: textMap.optional(),
  hooks: z.record(text, z.unknown()).optional(),
  disableAllHooks: z.boolean().optional(),
  enabledPlugins: z.record(text, isEnabled).optional(),
  extraKnownMarketplaces: z.record(text, marketplace).optional(),
  autoCompactThreshold: z.union([threshold, z.record(text, threshold)]).optional(),
  mcpServers: z.record(text, mcpServer).optional(),
  agents: z.record(text, agentSetting).optional(),
  sandbox: sandboxSetting.optional(),
  toolEnv: z.object({ pass: texts.optional() }).optional(),
  store: text.optional(),
  vault: z.boolean().optional(),
  transports: z
    .record(
      text,
      z.object({
        enabled: z.boolean().optional(),
        options: z.record(text, z.unknown()).optional(),
      }),
    )
    .optional(),
  statusline: z
    .object({ enabled: z.boolean().optional(), gitBranch: z.boolean().optional() })
    .optional(),
});
