/**
 * What each setting does, by its dotted path; `<name>` stands for a name that the user chooses. The configuration guide
 * and the JSON schema for editors are generated from this table and the schema of the settings.
 */
export const SETTING_DESCRIPTIONS: Readonly<Record<string, string>> = {
  agents: 'ACP agents by name, without the prefix `acp:`.',
  'agents.<name>.command':
    'The program and its arguments, as a list if an argument contains spaces. Replaces the built-in command line.',
  autoCompactThreshold:
    'Share of the context window above which the conversation is compacted; `false` disables it. A map sets it per model, `default` for all others.',
  currentProvider: 'The profile of `providers` to use.',
  defaultTrustLevel:
    'The permission mode if none is given: `safe` means `plan`, `moderate` means `default`, `full` means `acceptEdits`.',
  disableAllHooks: 'Disables all hooks of settings files and plugins.',
  enabledPlugins: 'Enables or disables installed plugins, by `<plugin>@<marketplace>`.',
  env: 'Environment variables for commands, hooks and MCP servers.',
  extraKnownMarketplaces: 'Plugin marketplaces by name.',
  'extraKnownMarketplaces.<name>.source': 'Where the marketplace is fetched from.',
  'extraKnownMarketplaces.<name>.source.path': 'A directory on this machine.',
  'extraKnownMarketplaces.<name>.source.ref': 'A branch, tag or commit.',
  'extraKnownMarketplaces.<name>.source.repo': 'A GitHub repository: `owner/name`.',
  'extraKnownMarketplaces.<name>.source.source': 'Same as `type`, in the spelling of Claude Code.',
  'extraKnownMarketplaces.<name>.source.type': '`github`, `git`, `url` or `directory`.',
  'extraKnownMarketplaces.<name>.source.url': 'The URL of a git repository or a marketplace file.',
  hooks: 'Hooks by event, in the format of Claude Code.',
  language: 'The language of the answers.',
  mcpServers: 'MCP servers by name, in addition to those in `.mcp.json` of a trusted project.',
  'mcpServers.<name>.args': 'Arguments of the program.',
  'mcpServers.<name>.command': 'The program of a stdio server.',
  'mcpServers.<name>.env': 'Environment variables of the program.',
  'mcpServers.<name>.headers': 'Headers sent with every request.',
  'mcpServers.<name>.type': '`stdio`, `http` or `sse`; by default derived from the other fields.',
  'mcpServers.<name>.url': 'The URL of an HTTP server.',
  model: 'The model to use; ignored if another vendor serves it.',
  permissions: 'What is allowed without asking, and what is forbidden.',
  'permissions.additionalDirectories': 'Directories treated as part of the project.',
  'permissions.allow': 'Calls allowed without asking.',
  'permissions.ask': 'Calls that always need approval.',
  'permissions.defaultMode':
    'The permission mode: `plan`, `default`, `acceptEdits` or `bypassPermissions`.',
  'permissions.deny': 'Calls that are never allowed.',
  'permissions.disableBypassPermissionsMode':
    'Forbids the mode `bypassPermissions`; no other file can lift this.',
  provider: 'A single profile without a name, with the fields of `providers.<name>`.',
  providers: 'Provider profiles by name; `--provider` accepts these names.',
  'providers.<name>.apiKey': 'The API key; `$ENV:NAME` reads it from the environment.',
  'providers.<name>.baseURL': 'The URL of the service.',
  'providers.<name>.contextMaxTokens':
    'The size of the context window, for models that Robota does not know.',
  'providers.<name>.fallbackModels':
    'Models of the same provider to try when the previous one fails.',
  'providers.<name>.maxBudgetTokens': 'The maximum number of tokens of a session.',
  'providers.<name>.maxBudgetUsd': 'The maximum cost of a session in US dollars.',
  'providers.<name>.maxTokens': 'The maximum number of tokens of one reply.',
  'providers.<name>.model': 'The model of this profile.',
  'providers.<name>.name': 'Same as `type`.',
  'providers.<name>.options': 'Passed to the provider unchanged.',
  'providers.<name>.retry': 'When failed requests are sent again.',
  'providers.<name>.retry.baseDelayMs':
    'Milliseconds before the first retry (default 1000); doubles with each retry.',
  'providers.<name>.retry.maxDelayMs':
    'The longest delay between two retries, in milliseconds (default 30000).',
  'providers.<name>.retry.maxRetries': 'The maximum number of retries (default 4).',
  'providers.<name>.retry.maxRetryAfterMs':
    'The request fails if the service asks for a longer wait than this (default 300000 ms).',
  'providers.<name>.stopSequences': 'Texts that end a reply.',
  'providers.<name>.temperature': 'The sampling temperature.',
  'providers.<name>.thinking': 'How much the model thinks before it answers.',
  'providers.<name>.timeout':
    'Milliseconds without any output after which a request fails (default 120000).',
  'providers.<name>.toolConcurrency': 'How many tool calls run at the same time (default 5).',
  'providers.<name>.type': '`anthropic`, `openai`, `google`, `ollama` or `demo`.',
  sandbox:
    'Which commands run in the sandbox: `auto` those that nobody approved, `on` all (and none without a sandbox), `off` none.',
  statusline: 'For programs built on the SDK; the `robota` command does not use it.',
  'statusline.enabled': 'Whether a status line is shown.',
  'statusline.gitBranch': 'Whether it shows the git branch.',
  store:
    'Where a server stores session metadata: `sqlite:<path>`, `postgres://…`, `redis://…` or `memory:`.',
  toolEnv: 'Environment variables that tools can see.',
  'toolEnv.pass': 'Variables passed to tools although their names look like secrets.',
  transports: 'For programs built on the SDK; the `robota` command does not use it.',
  'transports.<name>.enabled': 'Whether the transport is used.',
  'transports.<name>.options': 'Passed to the transport unchanged.',
  vault:
    '`false`: the values of secrets are not stored, so a resumed session has placeholders in their place.',
};
