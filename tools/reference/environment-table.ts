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
    'A direct connection to that database, if `ROBOTA_ARCHIVE` points to a pooler ([operating](../operate.md)).',
  ROBOTA_ARCHIVE_TTL_MS:
    'How long a lease of a node lasts without renewal, in milliseconds (default 15000).',
  ROBOTA_ARCHIVE_KEY:
    '32 bytes, in base64 or hexadecimal digits, used to encrypt secrets in an archive ([operating](../operate.md)).',
  ROBOTA_ARCHIVE_LOOK_MS:
    'How often a node polls for sessions that no node runs, in milliseconds (default 1500).',
  ROBOTA_BACKGROUND: '`dark` or `light`, if the terminal does not report its background.',
  ANTHROPIC_API_KEY:
    'The API key of Anthropic. Of several vendors with a key, the first in this list is used.',
  ANTHROPIC_AUTH_TOKEN: 'A bearer token instead of the key.',
  ANTHROPIC_BASE_URL: 'Another URL for the Anthropic API.',
  ANTHROPIC_MODEL: 'The Anthropic model, if nothing else names one.',
  OPENAI_API_KEY: 'The API key of OpenAI.',
  OPENAI_BASE_URL:
    'Another URL for the OpenAI API, or that of a compatible service; without a key, this alone selects the provider.',
  GEMINI_API_KEY: 'The API key of Google.',
  GOOGLE_API_KEY: 'Same as `GEMINI_API_KEY`.',
  GOOGLE_GEMINI_BASE_URL: 'Another URL for the Gemini API.',
  OLLAMA_HOST: 'The address of Ollama; without keys of others, this alone selects it.',
  BRAVE_API_KEY: 'The API key of Brave Search, required by the tool WebSearch.',
  MCP_TIMEOUT:
    'How long a session waits for its MCP servers before it starts without them, in milliseconds (default 5000).',
  CLAUDE_CONFIG_DIR: 'The directory of Claude Code, instead of `~/.claude`.',
  CODEX_HOME: 'The directory of Codex, instead of `~/.codex`.',
  GEMINI_CLI_HOME: 'The directory that contains `.gemini`, instead of the home directory.',
  PI_CODING_AGENT_DIR: 'The directory of pi, instead of `~/.pi/agent`.',
  OPENCODE_DB: "The path of opencode's database.",
  XDG_DATA_HOME: 'The directory that contains `opencode`, instead of `~/.local/share`.',
  BROWSER: 'The program that `robota web` opens the page with.',
  NO_COLOR: 'Any value disables colours.',
  COLORTERM: '`truecolor` enables 24-bit colours.',
  COLORFGBG: 'Set by some terminals; tells whether the background is dark.',
  TERM: '`dumb` disables colours.',
  HOME: 'The home directory.',
  USERPROFILE: 'The home directory if `HOME` is not set.',
  PATH: 'Where `rg`, git, browsers and the programs of other agents are found.',
  LC_ALL:
    'With `LC_COLLATE` and `LANG`: the sort order of the shell, which decides what a pattern in a command can match.',
  LC_COLLATE: 'See `LC_ALL`.',
  LANG: 'See `LC_ALL`.',
};

export function environmentTable(): string {
  const rows = Object.entries(VARIABLES).map(([name, text]) => [`\`${name}\``, text]);
  return markdownTable(['variable', 'what it does'], rows);
}
