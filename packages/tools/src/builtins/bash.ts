import { constants } from 'node:os';
import type { SandboxRunResult, Tool, ToolSandbox } from '@robota-sdk/agent-core';
import { z } from 'zod';
import { boundText, OUTPUT_LIMIT } from '../bounded-text.ts';
import { accessDenied } from '../files/workspace.ts';
import { createLocalSandbox, type LocalRunOptions, type SandboxSetting } from '../local-sandbox.ts';
import { answered, interrupted, refused, type ToolAnswer } from '../tool-result.ts';
import { builtinTool, type CallScope } from './builtin-tool.ts';
import { locate } from './file-tool.ts';
import type { WorkspaceToolOptions } from './workspace-tool-options.ts';

const DEFAULT_TIMEOUT_MS = 120_000;
const MOST_TIMEOUT_MS = 600_000;

const parameters = z.object({
  command: z.string().describe('The shell command to run. It gets no input from a terminal.'),
  timeout: z
    .number()
    .positive()
    .optional()
    .describe(
      'Milliseconds until the command and all it started are ended (default 120000, at most 600000).',
    ),
  workingDirectory: z
    .string()
    .optional()
    .describe('Directory to run in. It counts for this command only.'),
});

export interface BashToolOptions extends WorkspaceToolOptions {
  /** How the system holds commands on this machine (default `auto`). */
  readonly confine?: SandboxSetting | undefined;
  /** Variables that commands see although they are named like secrets. */
  readonly passEnvironment?: readonly string[] | undefined;
}

export function createBashTool(options: BashToolOptions = {}): Tool {
  const { roots, confine, passEnvironment } = options;
  const sandbox = options.sandbox ?? createLocalSandbox({ roots, confine, passEnvironment });
  return builtinTool({
    name: 'Bash',
    description:
      'Runs a shell command and returns its standard output, standard error and exit code. Long output is shortened in the middle. Each command starts afresh in the working directory.',
    parameters,
    cwd: options.cwd,
    ignored: ['description'],
    run: (given, scope) => run(sandbox, options, { ...given, scope }),
    touches: async ({ command }) => [{ kind: 'execute', target: command }],
  });
}

export const bashTool: Tool = createBashTool();

interface BashCall extends z.output<typeof parameters> {
  readonly scope: CallScope;
}

async function run(
  sandbox: ToolSandbox,
  options: WorkspaceToolOptions,
  { command, timeout = DEFAULT_TIMEOUT_MS, workingDirectory, scope }: BashCall,
): Promise<ToolAnswer> {
  const directory = workingDirectory ?? scope.cwd;
  const place = await locate(directory, { cwd: scope.cwd, options });
  if (place === null) return refused(accessDenied(directory));
  const timeoutMs = Math.min(timeout, MOST_TIMEOUT_MS);
  const unasked = scope.grant?.run;
  const runOptions: LocalRunOptions = {
    timeoutMs,
    workingDirectory: place.absolute,
    signal: scope.signal,
    outputLimitBytes: OUTPUT_LIMIT,
    onOutput: scope.onProgress,
    unasked: unasked && { confine: unasked.confine },
  };
  // What nobody approved runs as the text that was judged, never as the one that was given.
  const result = await sandbox.run(unasked?.command ?? command, runOptions);
  const output = joinStreams(result);
  if (scope.signal.aborted) return interrupted('Bash', output);
  if (result.timedOut) return refused(`Command timed out after ${timeoutMs}ms`, output);
  return answered(output, endingOf(result));
}

/** Both streams are bounded already; the second bound is for sandboxes that do not keep to it. */
function joinStreams({ stdout, stderr }: SandboxRunResult): string {
  const joined = stderr === '' ? stdout : `${stdout}\nstderr:\n${stderr}`;
  return boundText(joined, 2 * OUTPUT_LIMIT + 1_000);
}

function endingOf({ exitCode, signal }: SandboxRunResult) {
  if (signal === undefined) return exitCode === null ? {} : { exitCode };
  const numbers: Readonly<Record<string, number>> = constants.signals;
  return { exitCode: exitCode ?? 128 + (numbers[signal] ?? 0), signal };
}
