/** The manual of a command, by its words: `sessions list`. */
export function commandHelp([command = '', verb = '']: readonly string[]): string {
  const text = HELP[`${command} ${verb}`] ?? HELP[command] ?? '';
  return `Usage: robota ${text.trimStart()}`;
}

const SESSION = `
A session is named by its id, the beginning of one that no other has, its name, or "last";
claude:<id> says whose it is.
`;

const FILTERS = `
  --agent <agent>     robota, claude, codex, gemini, pi or opencode
  --project <part>    of a project's name or path, anywhere on this machine
  --since <time>      today, yesterday, 24h, 7d, 2w or 2026-01-31
  --refresh           read everything that has changed first, however long it takes
  --json              for programs
`;

const LIST = `
sessions [list] [options]

Sessions of this project, of every agent, newest first; ● is being written to.

  --here              those of this project (default)
  -a, --all           every one on this machine
  --name <part>       of a title or a name
  --text <words>      that were said in it
  --limit <number>    on a page: 50; all with --json
  --after <place>     the page that begins there${FILTERS}`;

const SEARCH = `
search <text> [options]

Where something was said, in prompts, answers, thoughts, tools and subagents of every agent, newest first.
Words, "phrases", identifiers, paths, beginnings (conf*), and -word for what must not be there.
Exit code 1 when there is nothing.

  --here              in sessions of this project only
  --in <said|tools>   only what people and models said, or only what tools were given and gave back
  --limit <number>    sessions: 20
  --hits <number>     in each session: 3${FILTERS}`;

const SESSIONS = `
sessions <verb>

  list [options]                          sessions of this project; --all for every one on this machine
  search <text> [options]                 where something was said
  show <session> [--block <id>] [--json]  what was said, from a block on
  export <session> [--format md|html|json] [--output <file>]
  rename <session> <new name>             of any agent; what others keep is not touched
  fork <session> [--name <name>]          a copy to go on with
  scrub <session> [--json]                take every secret out of its files, for good
  delete <session> [--yes]                with its log and everything else; only robota's own
${SESSION}
robota sessions <verb> --help says more.
`;

const HELP: Readonly<Record<string, string>> = {
  sessions: SESSIONS,
  'sessions list': LIST,
  'sessions search': SEARCH,
  search: SEARCH,
  'sessions show': `sessions show <session> [--block <id>] [--json]

What was said, as Markdown, secrets taken out; with --block from that block on, as a search names it.
${SESSION}`,
  'sessions export': `sessions export <session> [--format md|html|json] [--output <file>]

The whole session as Markdown (default), as one page of HTML, or as JSON; secrets taken out.
A file is readable by you alone.
${SESSION}`,
  'sessions rename': `sessions rename <session> <new name>

Robota's own sessions keep the name themselves; the name of another agent's session is kept in
~/.robota/labels.json.
${SESSION}`,
  'sessions fork': `sessions fork <session> [--name <name>]

Copies one of robota's sessions to a new id, prints that, and leaves the original as it is.
${SESSION}`,
  'sessions scrub': `sessions scrub <session> [--json]

Replaces every secret in the record, the log and the payloads of one of robota's sessions, those of older
versions too, and removes the values kept for going on with it.
${SESSION}`,
  'sessions delete': `sessions delete <session> [--yes]

Deletes one of robota's sessions with its log and everything else; asks first, unless --yes.
${SESSION}`,
  usage: `usage [options]

What was asked of models by every agent on this machine, each request once, and what it cost.

  --by <group>        day (default), week, month, model, agent, project, session or cause
  --here              in sessions of this project only
  --budget <n>/<time> say when a day, week or month cost more than n dollars: 20/day${FILTERS}`,
  resume: `resume <session> [prompt]

Goes on with a session: robota's own here, another agent's in its own program and directory.
${SESSION}`,
  replay: `replay <session> [--json]

Plays a session back from its log or transcript: nothing is asked, nothing is run.
${SESSION}`,
  log: `log <session> [--follow] [--json]

Every entry of a session, one a line; --follow goes on with what is written to it until ctrl+c.
${SESSION}`,
  validate: `validate <session> [--json]

Whether robota's log holds everything a replay needs, or another agent's transcript what its program needs.
Exit code 1 when not.
${SESSION}`,
  doctor: `doctor [--repair] [--json]

What works here, what does not, and what to do. Exit code 1 when there is a problem.

  --repair            rebuild a catalogue that is wrong, and write repaired copies of other agents' transcripts
                      to ~/.robota/repaired; the transcripts themselves are never touched
`,
};
