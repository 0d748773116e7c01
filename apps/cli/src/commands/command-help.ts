/** Every command with its subcommands. */
export const COMMAND_WORDS = {
  sessions: [
    'list',
    'search',
    'show',
    'follow',
    'export',
    'rename',
    'fork',
    'scrub',
    'delete',
    'take-over',
  ],
  search: [],
  usage: [],
  resume: [],
  attach: [],
  replay: [],
  log: [],
  validate: [],
  serve: [],
  web: [],
  token: ['new', 'list', 'revoke'],
  archive: ['migrate', 'check', 'stats', 'import', 'export', 'prune'],
  mcp: [],
  acp: [],
  config: [],
  completion: ['bash', 'zsh', 'fish'],
  doctor: [],
} as const satisfies Readonly<Record<string, readonly string[]>>;

export type CommandName = keyof typeof COMMAND_WORDS;

/** Help text of a command or subcommand: `sessions list`. */
export function commandHelp([command = '', verb = '']: readonly string[]): string {
  const text = HELP[`${command} ${verb}`] ?? HELP[command] ?? '';
  return `Usage: robota ${text.trimStart()}`;
}

const SESSION = `
<session> is an id, a unique prefix of one, a name, or "last"; claude:<id> selects a session of
that agent.
`;

const FILTERS = `
  --agent <agent>     robota, claude, codex, gemini, pi or opencode
  --project <part>    part of a project's name or path, anywhere on this machine
  --since <time>      today, yesterday, 24h, 7d, 2w or 2026-01-31
  --refresh           wait until the index is up to date
  --json              print JSON
`;

const LIST = `
sessions [list] [options]

Lists the sessions of this project, from every agent, newest first; ● marks those being written to.

  --here              sessions of this project (default)
  -a, --all           all sessions on this machine
  --name <part>       filter by title or name
  --text <words>      filter by conversation text
  --limit <number>    page size (default 50; no limit with --json)
  --after <place>     continue after this place, as printed below a page${FILTERS}`;

const SEARCH = `
search <text> [options]

Searches prompts, answers, thinking, tool calls and subagents of every agent, newest first.
Supports words, "phrases", identifiers, paths, prefixes (conf*), and -word to exclude a word.
Exits with 1 if nothing is found.

  --here              only sessions of this project
  --in <said|tools>   only prompts and answers, or only the input and output of tools
  --limit <number>    most sessions to show (default 20)
  --hits <number>     most hits per session (default 3)${FILTERS}`;

const SESSIONS = `
sessions <verb>

  list [options]                          list sessions of this project, or of this machine with --all
  search <text> [options]                 search all conversations
  show <session> [--block <id>] [--json]  print a conversation, optionally from a block on
  follow <session> [--json]               follow a session live, as its program writes it
  export <session> [--format md|html|json] [--output <file>]
  rename <session> <new name>             rename a session of any agent; other agents' files are not modified
  fork <session> [--name <name>]          copy a session and continue in the copy
  scrub <session> [--json]                permanently remove all secrets from a session's files
  take-over <id> [--to <node>]            move a session of an archive to another node
  delete <session> [--yes]                delete a robota session with its log and all other files
${SESSION}
Run robota sessions <verb> --help for details.
`;

const HELP: Readonly<Record<string, string>> = {
  sessions: SESSIONS,
  'sessions list': LIST,
  'sessions search': SEARCH,
  search: SEARCH,
  'sessions show': `sessions show <session> [--block <id>] [--json]

Prints a conversation as Markdown, with secrets redacted; with --block, starts at that block of a search hit.
${SESSION}`,
  'sessions follow': `sessions follow <session> [--json]

Follows a session of any agent while its program writes it, until ctrl+c: on screen, or as Markdown or events
if stdout is not a terminal. Read-only.
${SESSION}`,
  attach: `attach [url] <session> [--token <token>]

Joins a session that runs on a server or in another terminal of this user. All participants see the same
session; the first answer to a question counts. Leaving does not end the session.

  url                 server address, such as http://127.0.0.1:7070 (default: the server on this machine)
  --token <token>     token for that server (default: ROBOTA_TOKEN, or the one in ~/.robota)
`,
  'sessions export': `sessions export <session> [--format md|html|json] [--output <file>]

Exports a session as Markdown (default), a single HTML page, or JSON, with secrets redacted.
Only you can read the written file.
${SESSION}`,
  'sessions rename': `sessions rename <session> <new name>

Renames a session. The name of another agent's session is stored in ~/.robota/labels.json; its own files
are not modified.
${SESSION}`,
  'sessions fork': `sessions fork <session> [--name <name>]

Copies a session of any agent to a new robota session and prints its id. The original is not modified.
${SESSION}`,
  'sessions scrub': `sessions scrub <session> [--json]

Replaces every secret in the record, log and payloads of a robota session, including those written by older
versions, and deletes the stored values that an exact resume needs.
${SESSION}`,
  'sessions delete': `sessions delete <session> [--yes]

Deletes a robota session with its log and all other files. Asks for confirmation unless --yes is given.
${SESSION}`,
  'sessions take-over': `sessions take-over <id> [--to <node>] [--archive <url>] [--json]

Takes a session of an archive away from the node that runs it, even if that node is alive, and moves it to the
given node or the next free one. A running turn is cut off; tool calls that had started are reported, not repeated.
`,
  archive: `archive <verb> [--archive postgres://…] [--json]

Sessions in a PostgreSQL database that any number of servers share (robota serve --archive postgres://…).
--archive defaults to ROBOTA_ARCHIVE.

  migrate                       create or upgrade the tables
  check [id …]                  verify that every log is complete; exits with 1 if one is not
  stats                         show what it contains and which nodes are alive
  import [id …]                 copy sessions of this machine into it, and verify the copies
  export [id …] [--to <folder>] copy sessions from it to files, and verify the copies
  prune [--receipts <days>] [--sessions <days>]
                                remove old receipts (default 7 days) and sessions unused for that long
`,
  usage: `usage [options]

Shows model requests of every agent on this machine, each counted once, with tokens and cost.

  --by <group>        day (default), week, month, model, agent, project, session or cause
  --here              only sessions of this project
  --budget <n>/<time> report days, weeks or months that cost more than n dollars: 20/day${FILTERS}`,
  serve: `serve [options]

Serves every session of every agent on this machine over HTTP, WebSocket and MCP on one port, together with the
web page, until ctrl+c. Terminals and robota web discover it through ~/.robota/run/server.json.

  --port <number>     port (default 7070; 0 picks a free one)
  --host <address>    address to bind (default 127.0.0.1: this machine only)
  --store <url>       session store: memory:, sqlite:path, postgres://... or redis://... (default: "store" in
                      the settings, ROBOTA_STORE_URL, or a file in ~/.robota)
  --archive <url>     share the sessions of a database with other servers; --node names this server,
                      --workspace (repeatable) limits it to sessions of these directories
  --agent <agent>     default agent of new sessions: robota, claude, codex or gemini
  --allow-origin <url>  allow requests from pages of this origin (repeatable)
  --allow-host <name>   accept this host name as well (repeatable)

Also accepts the session options of robota: --model, --provider, --permission-mode, --trust ...
`,
  web: `web [--no-open] [options of serve]

Opens the web page in a browser with a one-time link that expires after two minutes. If no server is running,
starts one and runs it until ctrl+c. --no-open only prints the link.
`,
  token: `token new <user> [--role read|prompt|approve|admin]... | list [--json] | revoke <id>

Manages access tokens for other people and devices. Roles: read views sessions (secrets redacted), prompt sends
prompts, approve answers questions and relaxes rules, admin does everything else. The default is read and
prompt. A token is shown only once.
`,
  resume: `resume <session> [--as claude|codex|gemini|robota] [prompt]

Resumes a session: a robota session here, another agent's session in its own program and directory. With --as,
hands it over to that agent as a new session. The original is only read.

  --as <agent>        agent to hand over to; a report shows what is preserved
  --dry-run           print the report, write nothing
  --full              include messages that a compaction has replaced
  --when-long <what>  for a session that exceeds the target's context window: summarise it, or leave it as it is
  --remove <id>       undo a hand-over, unless the new session has been used since
  --json              print JSON
${SESSION}`,
  replay: `replay <session> [--json]

Plays a session back from its log or transcript. No model is called and no tool is run.
${SESSION}`,
  log: `log <session> [--follow] [--json]

Prints every log entry of a session, one per line; --follow streams new entries until ctrl+c.
${SESSION}`,
  validate: `validate <session> [--json]

Checks that a robota log contains everything a replay needs, or that another agent's transcript is one its
program can resume. Exits with 1 if not.
${SESSION}`,
  mcp: `mcp [options]

Exposes one session as an MCP server: on stdio, or over HTTP with --port and a token.

  --port <number>     serve over HTTP on this port
  --host <address>    address to bind (default 127.0.0.1)
  -c, --continue      continue the latest session of this directory
  -r, --resume <id>   resume a session
`,
  config: `config [--trust] [--json]

Shows the active configuration, which file each value comes from, and what needs trust. Secrets are not shown.
`,
  completion: `completion bash|zsh|fish

Prints a script that completes commands, verbs and flags:

  eval "$(robota completion bash)"       in ~/.bashrc
  eval "$(robota completion zsh)"        in ~/.zshrc, after compinit
  robota completion fish | source        in ~/.config/fish/config.fish
`,
  acp: `acp [--agent <agent>] [options]

Runs as an Agent Client Protocol (ACP) agent on stdin and stdout. The editor starts it; see docs/guide/editors.md
for the settings of Zed, JetBrains, Neovim and Emacs.

  --agent <agent>     agent of new sessions: robota (default), claude, codex, gemini or acp:<name>

Without other options it connects to the running server, if there is one. With options, which are those of
robota itself, this process runs the sessions.
`,
  doctor: `doctor [--repair] [--json]

Reports what works, what does not, and how to fix it. Exits with 1 if there is a problem.

  --repair            rebuild a corrupt catalogue, and write repaired copies of other agents' transcripts to
                      ~/.robota/repaired; the transcripts themselves are never modified
`,
};
