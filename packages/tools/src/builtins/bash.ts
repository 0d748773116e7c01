import { constants } from 'node:os';
import type { SandboxRunResult, Tool, ToolSandbox } from '@robota-sdk/agent-core';
import { boundText, OUTPUT_LIMIT } from '../bounded-text.ts';
import { accessDenied } from '../files/workspace.ts';
import type { ParametersOf } from '../function-tool/parameters-of.ts';
import { createLocalSandbox, type LocalRunOptions, type SandboxSetting } from '../local-sandbox.ts';
import type { CommandBackground, ReadyCommand } from '../process/command-background.ts';
import { answered, interrupted, refused, type ToolAnswer } from '../tool-result.ts';
import { builtinTool, type CallScope } from './builtin-tool.ts';
import { locate, movedProblem, touchesPath } from './file-tool.ts';
import type { WorkspaceToolOptions } from './workspace-tool-options.ts';

const DEFAULT_TIMEOUT_MS = 120_000;
const MAX_TIMEOUT_MS = 600_000;

const parameters = {
  type: 'object',
  properties: {
    command: {
      type: 'string',
      description: 'The shell command to run. It gets no input from a terminal.',
    },
    timeout: {
      description:
        'Milliseconds until the command and all it started are ended (default 120000, at most 600000).',
      type: 'number',
      exclusiveMinimum: 0,
    },
    workingDirectory: {
      description: 'Directory to run in. It counts for this command only.',
      type: 'string',
    },
  },
  required: ['command'],
} as const;

const backgroundParameters = {
  ...parameters,
  properties: {
    ...parameters.properties,
    runInBackground: {
      description:
        'Returns at once and lets the command go on, for servers, watchers and long builds; you are told when it ends.',
      type: 'boolean',
    },
  },
} as const;

/** Directories, background and confinement of commands. */
export interface BashToolOptions extends WorkspaceToolOptions {
  /** Runs background commands; without it every command runs in the foreground. */
  readonly background?: CommandBackground | undefined;
  /** How the system confines commands on this machine (default `auto`). */
  readonly confine?: SandboxSetting | undefined;
  /** Variables passed to commands although their names look like secrets. */
  readonly passEnvironment?: readonly string[] | undefined;
}

/** Runs commands. */
export function createBashTool(options: BashToolOptions = {}): Tool {
  const { roots, confine, passEnvironment } = options;
  const sandbox = options.sandbox ?? createLocalSandbox({ roots, confine, passEnvironment });
  return builtinTool({
    name: 'Bash',
    description:
      'Runs a shell command and returns its standard output, standard error and exit code. Long output is shortened in the middle. Each command starts afresh in the working directory.',
    parameters: options.background ? backgroundParameters : parameters,
    cwd: options.cwd,
    ignored: ['description'],
    run: (given, scope) => run(sandbox, options, { ...given, scope }),
    async touches({ command, workingDirectory }, cwd) {
      const executed = { kind: 'execute', target: command } as const;
      if (workingDirectory === undefined) return [executed];
      const directory = await touchesPath(workingDirectory, { kind: 'read', cwd, options });
      return [executed, ...directory];
    },
  });
}

/** Runs commands in the process's directory. */
export const bashTool: Tool = createBashTool();

interface BashCall extends ParametersOf<typeof backgroundParameters> {
  readonly scope: CallScope;
}

async function run(
  sandbox: ToolSandbox,
  options: BashToolOptions,
  { command, timeout = DEFAULT_TIMEOUT_MS, workingDirectory, runInBackground, scope }: BashCall,
): Promise<ToolAnswer> {
  const directory = workingDirectory ?? scope.cwd;
  const place = await locate(directory, { cwd: scope.cwd, options });
  if (place === null) return refused(accessDenied(directory));
  const isGiven = workingDirectory !== undefined;
  const moved = isGiven ? movedProblem(place, scope.grant) : undefined;
  if (moved !== undefined) return refused(moved);
  const unasked = scope.grant?.run;
  const ready: ReadyCommand = {
    command,
    run(commandScope) {
      const runOptions: LocalRunOptions = {
        ...commandScope,
        workingDirectory: isGiven ? place.real : place.absolute,
        outputLimitBytes: OUTPUT_LIMIT,
        unasked: unasked && { confine: unasked.confine },
      };
      // Without approval the checked text runs, never the given one.
      return sandbox.run(unasked?.command ?? command, runOptions);
    },
  };
  const { background = WAITING } = options;
  if (runInBackground) return answered(background.start(ready).text);
  const { signal, onProgress: onOutput } = scope;
  const timeoutMs = Math.min(timeout, MAX_TIMEOUT_MS);
  const result = await background.wait(ready, { signal, timeoutMs, onOutput });
  if ('text' in result) return answered(result.text);
  const output = joinStreams(result);
  if (signal.aborted) return interrupted('Bash', output);
  if (result.timedOut) return refused(`Command timed out after ${timeoutMs}ms`, output);
  return answered(output, endingOf(result));
}

/** Without a background every command runs in the foreground. */
const WAITING: CommandBackground = {
  start() {
    throw new Error('Commands cannot run in the background here.');
  },
  wait: (command, scope) => command.run(scope),
};

/** Both streams are bounded already; the second bound is for sandboxes that do not respect it. */
function joinStreams({ stdout, stderr }: SandboxRunResult): string {
  const joined = stderr === '' ? stdout : `${stdout}\nstderr:\n${stderr}`;
  return boundText(joined, 2 * OUTPUT_LIMIT + 1_000);
}

function endingOf({ exitCode, signal }: SandboxRunResult) {
  if (signal === undefined) return exitCode === null ? {} : { exitCode };
  const numbers: Readonly<Record<string, number>> = constants.signals;
  return { exitCode: exitCode ?? 128 + (numbers[signal] ?? 0), signal };
}
