import { parseArguments } from '../arguments/parse-arguments.ts';
import type { Output } from '../output.ts';

/** `robota [options] [prompt]`: printed, in the terminal, or shown where there is neither terminal nor prompt. */
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
  const { runDemonstration } = await import('./demonstration.ts');
  return runDemonstration(options, output);
}
