/**
 * What each setting does, by its dotted path; `<name>` stands for a name that the user chooses. The configuration guide
 * and the JSON schema for editors are made of this table and the schema of the settings.
 */
export const SETTING_DESCRIPTIONS: Readonly<Record<string, string>> = {
  agents: 'Agents that speak ACP, by what follows `acp:` in their name.',
  'agents.<name>.command':
    'The program and its arguments, as a list if an argument contains spaces. Replaces the built-in command line.',
  autoCompactThreshold:
    'Compact when this share of the context window is used; `false`: never. A map says it for each model, `default` for the others.',
  currentProvider: 'The profile of `providers` that is used.',
  defaultTrustLevel:
    'The permission mode where none is given: `safe` is `plan`, `moderate` is `default`, `full` is `acceptEdits`.',
  disableAllHooks: 'No hook of a settings file or a plugin runs.',
  enabledPlugins: 'Switches installed plugins on and off, by `<plugin>@<marketplace>`.',
  env: 'Environment variables of commands, hooks and MCP servers.',
  extraKnownMarketplaces: 'Marketplaces of plugins, by name.',
  'extraKnownMarketplaces.<name>.source': 'Where the marketplace is fetched from.',
  'extraKnownMarketplaces.<name>.source.path': 'A directory on this machine.',
  'extraKnownMarketplaces.<name>.source.ref': 'A branch, tag or commit.',
  'extraKnownMarketplaces.<name>.source.repo': 'A repository of GitHub: `owner/name`.',
  'extraKnownMarketplaces.<name>.source.source': 'The kind, as Claude Code spells it.',
  'extraKnownMarketplaces.<name>.source.type': 'The kind: `github`, `git`, `url` or `directory`.',
  'extraKnownMarketplaces.<name>.source.url':
    'The address of a git repository or of a marketplace file.',
  hooks: 'Programs that are told of events, by event; written as in Claude Code.',
  language: 'The language of the answers.',
  mcpServers: 'MCP servers, by name; `.mcp.json` of a trusted project is read too.',
  'mcpServers.<name>.args': 'Arguments of the program.',
  'mcpServers.<name>.command': 'The program of a server on stdio.',
  'mcpServers.<name>.env': 'Environment variables of the program.',
  'mcpServers.<name>.headers': 'Headers of every request.',
  'mcpServers.<name>.type': '`stdio`, `http` or `sse`; found by the other fields when left out.',
  'mcpServers.<name>.url': 'The address of a server on HTTP.',
  model: 'The model that is asked, of whichever provider is used.',
  permissions: 'What may be done without asking, and what never.',
  'permissions.additionalDirectories': 'Directories that count as inside the project.',
  'permissions.allow': 'Rules for calls that are allowed without asking.',
  'permissions.ask': 'Rules for calls that are always asked about.',
  'permissions.defaultMode':
    'The permission mode: `plan`, `default`, `acceptEdits` or `bypassPermissions`.',
  'permissions.deny': 'Rules for calls that are never allowed.',
  'permissions.disableBypassPermissionsMode':
    'Nobody may switch `bypassPermissions` on; no other file lifts it.',
  provider: 'One profile without a name, with the fields of `providers.<name>`.',
  providers: 'Profiles: how a model is reached and asked; `--provider` takes their names.',
  'providers.<name>.apiKey': 'The key; write `$ENV:NAME` and keep the value in the environment.',
  'providers.<name>.baseURL': 'The address of the service.',
  'providers.<name>.contextMaxTokens': 'The size of the context window, where it is not known.',
  'providers.<name>.fallbackModels':
    'Models of the same provider that are asked when the one before cannot answer.',
  'providers.<name>.maxBudgetTokens': 'Tokens that a session may use in all.',
  'providers.<name>.maxBudgetUsd': 'Dollars that a session may cost in all.',
  'providers.<name>.maxTokens': 'Most tokens of one reply.',
  'providers.<name>.model': 'The model of this profile.',
  'providers.<name>.name': 'The kind of provider, as in `type`.',
  'providers.<name>.options': 'Passed on to the provider as it is.',
  'providers.<name>.retry': 'How often and when a failed request is sent again.',
  'providers.<name>.retry.baseDelayMs':
    'Milliseconds before the first retry, 1000; doubles with each.',
  'providers.<name>.retry.maxDelayMs': 'Most milliseconds between two tries: 30000.',
  'providers.<name>.retry.maxRetries': 'How often a request is sent again: 4.',
  'providers.<name>.retry.maxRetryAfterMs':
    'A service that asks to wait longer than this fails the request.',
  'providers.<name>.stopSequences': 'Texts at which a reply ends.',
  'providers.<name>.temperature': 'How freely words are chosen.',
  'providers.<name>.thinking': 'How much the model thinks before it answers.',
  'providers.<name>.timeout': 'Milliseconds a provider may stay silent.',
  'providers.<name>.toolConcurrency': 'How many tools run at once.',
  'providers.<name>.type':
    'The kind of provider: `anthropic`, `openai`, `google`, `ollama` or `demo`.',
  sandbox:
    'Sandbox for commands: `auto` for those that run without approval, `on` for all (without a sandbox they do not run), `off` for none.',
  statusline: 'Kept for programs built on the SDK; the command `robota` does not read it.',
  'statusline.enabled': 'Whether a status line is shown.',
  'statusline.gitBranch': 'Whether it names the branch.',
  store:
    'Where a server keeps who talks where: `sqlite:<path>`, `postgres://…`, `redis://…` or `memory:`.',
  toolEnv: 'Which environment variables tools see.',
  'toolEnv.pass': 'Variables that are passed on although they are named like secrets.',
  transports: 'Kept for programs built on the SDK; the command `robota` does not read it.',
  'transports.<name>.enabled': 'Whether the transport is used.',
  'transports.<name>.options': 'Passed on to the transport as they are.',
  vault: '`false`: no session keeps the values of secrets for its own resume.',
};
