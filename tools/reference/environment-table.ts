import { markdownTable } from './markdown-table.ts';

/** Every environment variable that is read, and what it does. `test/reference.test.ts` finds those that are missing. */
export const VARIABLES: Readonly<Record<string, string>> = {
  ROBOTA_HOME:
    'The directory of settings, sessions, logs and the catalogue, instead of `~/.robota`.',
  ROBOTA_MODEL: 'The model to use; overrides settings files, overridden by `--model`.',
  ROBOTA_LANGUAGE: 'The language of the answers, with the same precedence.',
  ROBOTA_PERMISSION_MODE: 'The permission mode, with the same precedence.',
  ROBOTA_TRUST_WORKSPACE:
    '`1`: trust the settings of every directory. For disposable machines only.',
  ROBOTA_TOKEN: 'The token that `robota attach` sends to a server.',
  ROBOTA_STORE_URL: 'The session store of a server; overrides the setting `store`.',
  ROBOTA_ARCHIVE: 'The database of an archive, if `--archive` is not given.',
  ROBOTA_ARCHIVE_DIRECT:
    'A connection to it past a pooler, for notices ([operating](../operate.md)).',
  ROBOTA_ARCHIVE_TTL_MS: 'How long a node counts as alive without a sign of it, in milliseconds.',
  ROBOTA_ARCHIVE_KEY:
    '32 bytes, in base64 or hexadecimal digits, used to encrypt secrets in an archive ([operating](../operate.md)).',
  ROBOTA_ARCHIVE_LOOK_MS: 'How often a node looks for work by itself, in milliseconds.',
  ROBOTA_BACKGROUND: '`dark` or `light`, if the terminal does not report its background.',
  ANTHROPIC_API_KEY: 'The key of Anthropic; the first vendor with a key is used.',
  ANTHROPIC_AUTH_TOKEN: 'A bearer token in place of the key.',
  ANTHROPIC_BASE_URL: 'Another address of that interface.',
  ANTHROPIC_MODEL: 'The model, where nothing else names one.',
  OPENAI_API_KEY: 'The key of OpenAI.',
  OPENAI_BASE_URL: 'Another address of that interface; enough by itself where no key is needed.',
  GEMINI_API_KEY: 'The key of Google.',
  GOOGLE_API_KEY: 'The same under its other name.',
  GOOGLE_GEMINI_BASE_URL: 'Another address of that interface.',
  OLLAMA_HOST: 'Where Ollama listens; enough by itself.',
  BRAVE_API_KEY: 'The key of Brave Search; the tool WebSearch exists only with it.',
  MCP_TIMEOUT:
    'Milliseconds that a session waits for its MCP servers before it starts without them.',
  CLAUDE_CONFIG_DIR: 'Where Claude Code keeps its sessions, in place of `~/.claude`.',
  CODEX_HOME: 'The same for Codex, in place of `~/.codex`.',
  GEMINI_CLI_HOME: 'The same for Gemini CLI: the directory that holds `.gemini`.',
  PI_CODING_AGENT_DIR: 'The same for pi, in place of `~/.pi/agent`.',
  OPENCODE_DB: "opencode's database.",
  XDG_DATA_HOME: 'The directory that holds `opencode`, in place of `~/.local/share`.',
  BROWSER: 'The program with which `robota web` opens the page.',
  NO_COLOR: 'Anything: no colours.',
  COLORTERM: '`truecolor`: the terminal shows all colours.',
  COLORFGBG: 'Set by some terminals; its last number says whether the background is dark.',
  TERM: '`dumb`: no colours.',
  HOME: 'The home directory; `USERPROFILE` where it is not set.',
  USERPROFILE: 'See `HOME`.',
  PATH: 'Where `rg`, git, browsers and the programs of other agents are looked for.',
  LC_ALL:
    'With `LC_COLLATE` and `LANG`: how the shell sorts, which decides what a pattern of a command may match.',
  LC_COLLATE: 'See `LC_ALL`.',
  LANG: 'See `LC_ALL`.',
};

export function environmentTable(): string {
  const rows = Object.entries(VARIABLES).map(([name, text]) => [`\`${name}\``, text]);
  return markdownTable(['variable', 'what it does'], rows);
}
