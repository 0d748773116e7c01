import { parseArguments } from '../arguments/parse-arguments.ts';
import type { Output } from '../output.ts';

/** `robota [options] [prompt]`: the terminal UI; without a terminal, print mode; without a prompt as well, the demonstration. */
export async function runPrompt(argv: readonly string[], output: Output): Promise<number> {
  const options = parseArguments(argv);
  if (options.print) {
    const { runPrint } = await import('./print.ts');
    return runPrint(options, output);
  }
  if (process.stdin.isTTY && process.stdout.isTTY) {
    const { runInteractive } = await import('./interactive.ts');
    return runInteractive(options, output);
  }
  const piped = options.prompt === undefined ? await pipedText() : undefined;
  if (options.prompt !== undefined || piped !== undefined) {
    const { runPrint } = await import('./print.ts');
    return runPrint(options, output, piped);
  }
  const { runDemonstration } = await import('./demonstration.ts');
  return runDemonstration(options, output);
}

/** `echo hi | robota` uses the piped text as the prompt. */
async function pipedText(): Promise<string | undefined> {
  const { readStdin } = await import('./read-stdin.ts');
  return readStdin({ isOptional: true });
}
