import { nearestWord } from './arguments/read-flags.ts';
import type { CommandName } from './commands/command-help.ts';
import { runPrompt } from './commands/run-prompt.ts';
import { EXIT } from './exit-code.ts';
import { createOutput, type Output } from './output.ts';
import { reportError } from './report-error.ts';
import { UsageError } from './usage-error.ts';

/** A subcommand, loaded only when it is called. */
type Subcommand = (args: readonly string[], output: Output) => Promise<number>;

/** Subcommands by the first argument. */
export const SUBCOMMANDS: Readonly<Record<CommandName, () => Promise<Subcommand>>> = {
  sessions: async () => (await import('./commands/sessions/sessions.ts')).runSessions,
  search: async () => (await import('./commands/sessions/search.ts')).searchSessions,
  usage: async () => (await import('./commands/usage/usage.ts')).runUsage,
  attach: async () => (await import('./commands/attach.ts')).runAttach,
  resume: async () => (await import('./commands/resume.ts')).runResume,
  replay: async () => (await import('./commands/replay.ts')).runReplay,
  log: async () => (await import('./commands/log.ts')).runLog,
  validate: async () => (await import('./commands/validate.ts')).runValidate,
  config: async () => (await import('./commands/config.ts')).runConfig,
  archive: async () => (await import('./commands/archive/archive.ts')).runArchive,
  serve: async () => (await import('./commands/serve.ts')).runServe,
  web: async () => (await import('./commands/web.ts')).runWeb,
  token: async () => (await import('./commands/token.ts')).runToken,
  mcp: async () => (await import('./commands/mcp.ts')).runMcp,
  completion: async () => (await import('./commands/completion.ts')).runCompletion,
  acp: async () => (await import('./commands/acp.ts')).runAcp,
  doctor: async () => (await import('./commands/doctor/doctor.ts')).runDoctor,
};

/** Runs the program and returns its exit code. Never rejects. */
export async function main(
  argv: readonly string[],
  output: Output = createOutput(),
): Promise<number> {
  try {
    const [first = '', ...rest] = argv;
    const load = Object.hasOwn(SUBCOMMANDS, first) ? SUBCOMMANDS[first as CommandName] : undefined;
    if (load) {
      if (wantsHelp(rest)) return await showHelp(argv, output);
      return await (await load())(rest, output);
    }
    refuseMistypedCommand(argv);
    return await runPrompt(argv, output);
  } catch (error) {
    return reportError(error, output, argv.includes('--debug'));
  }
}

/** A single word that is almost a command name is more likely a typo than a prompt. */
function refuseMistypedCommand(argv: readonly string[]): void {
  const [word = ''] = argv;
  if (argv.length !== 1 || !/^[a-z]+$/i.test(word)) return;
  const meant = nearestWord(word.toLowerCase(), Object.keys(SUBCOMMANDS));
  if (meant === undefined) return;
  throw new UsageError(
    `There is no command "${word}". Did you mean "robota ${meant}"? To send the word as a prompt: robota -p ${word}`,
  );
}

/** Everything after `--` is text. */
function wantsHelp(args: readonly string[]): boolean {
  const end = args.indexOf('--');
  return args
    .slice(0, end === -1 ? undefined : end)
    .some((arg) => arg === '--help' || arg === '-h');
}

async function showHelp(argv: readonly string[], output: Output): Promise<number> {
  const { commandHelp } = await import('./commands/command-help.ts');
  output.out.write(commandHelp(argv));
  return EXIT.done;
}

/** Entry point of the bin: sets the exit code instead of exiting, so that pending writes are flushed. */
export async function runAsProcess(): Promise<void> {
  process.stdout.on('error', handleStdoutError);
  hideSqliteWarning();
  process.exitCode = await main(process.argv.slice(2));
}

/** Node 22 calls its SQLite experimental in every command that uses it; the user can do nothing about that. */
function hideSqliteWarning(): void {
  const emit = process.emitWarning;
  process.emitWarning = (...args: unknown[]) => {
    if (!String(args[0]).startsWith('SQLite is an experimental feature'))
      Reflect.apply(emit, process, args);
  };
}

/** A closed pipe (`robota … | head`) is not a failure; a closed terminal (EIO) is handled by its signal. */
function handleStdoutError(error: NodeJS.ErrnoException): void {
  if (error.code === 'EIO') return;
  process.exit(error.code === 'EPIPE' ? EXIT.done : EXIT.failed);
}
