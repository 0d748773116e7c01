import { createInterface } from 'node:readline/promises';
import {
  describeHandOver,
  type HandOverReport,
  type HandOverResult,
  handOver,
  type WhenTooLong,
} from '@robota-sdk/agent-sdk';
import { toAgentType } from '@robota-sdk/agent-transcript';
import { EXIT } from '../../exit-code.ts';
import type { Output } from '../../output.ts';
import { UsageError } from '../../usage-error.ts';
import { findSession } from '../find-session.ts';
import { resumeElsewhere } from '../resume-elsewhere.ts';
import { runPrompt } from '../run-prompt.ts';
import { summarise } from './summarise.ts';

export interface ResumeAsOptions {
  readonly reference: string;
  /** The first prompt in the target. */
  readonly words: readonly string[];
  readonly to: string;
  readonly whenLong: string | undefined;
  readonly full: boolean | undefined;
  readonly json: boolean | undefined;
  readonly dryRun: boolean | undefined;
}

/** `robota resume … --as`: previews the conversion, writes it, reports the result, and continues in the target's program. */
export async function resumeAs(options: ResumeAsOptions, output: Output): Promise<number> {
  const chosen = readWhenLong(options.whenLong);
  const { agent, id, path } = await findSession(options.reference, output);
  const { to, full } = options;
  const request = { from: { agent, id, ...(path !== '' && { path }) }, to, full };
  const planned = await handOver({ ...request, dryRun: true });
  if (options.dryRun) return report(planned, options, output);
  if (!options.json) printReport('Before', planned.report, output);
  const first = await handOver({ ...request, whenTooLong: chosen });
  const result =
    first.status === 'too_long' ? await withConsent(first, request, { options, output }) : first;
  if (result === undefined) {
    output.note('Nothing was written.');
    return EXIT.failed;
  }
  const code = report(result, options, output);
  const isInteractive = process.stdin.isTTY && process.stdout.isTTY && !options.json;
  return isInteractive ? continueInTarget(result, options, output) : code;
}

function readWhenLong(text: string | undefined): WhenTooLong | undefined {
  if (text === undefined) return undefined;
  if (text === 'leave') return 'leave_to_target';
  if (text === 'summarise') return { summarise };
  throw new UsageError(`Invalid --when-long "${text}". Valid: summarise | leave`);
}

interface Asked {
  readonly options: ResumeAsOptions;
  readonly output: Output;
}

/** A session too long for the target is shortened only with the user's consent. */
async function withConsent(
  { message }: Extract<HandOverResult, { status: 'too_long' }>,
  request: Parameters<typeof handOver>[0],
  { options, output }: Asked,
): Promise<HandOverResult | undefined> {
  if (!process.stdin.isTTY || options.json) {
    throw new UsageError(`${message} Add --when-long summarise or --when-long leave.`);
  }
  output.note(message);
  const prompt = createInterface({ input: process.stdin, output: process.stderr });
  try {
    const answer = await prompt.question('[s]ummarise it, [l]eave it to the program, or [n]o? ');
    const letter = answer.trim().toLowerCase().slice(0, 1);
    if (letter === 's') return await handOver({ ...request, whenTooLong: { summarise } });
    if (letter === 'l') return await handOver({ ...request, whenTooLong: 'leave_to_target' });
    return undefined;
  } finally {
    prompt.close();
  }
}

function report(result: HandOverResult, options: ResumeAsOptions, output: Output): number {
  if (options.json) {
    const { status, id, from, to, cwd, report: counts } = result;
    const written = result.status === 'written' ? { file: result.file, resume: result.resume } : {};
    output.writeLine(JSON.stringify({ status, id, from, to, cwd, ...written, report: counts }));
    return EXIT.done;
  }
  if (result.status === 'planned') {
    printReport('It would carry', result.report, output);
    return EXIT.done;
  }
  printReport('After', result.report, output);
  if (result.status === 'written') {
    output.writeLine(result.id);
    output.note(`Written to ${result.file}`);
    output.note(`Continue: ${result.resume.join(' ')}  (in ${result.cwd})`);
    output.note(`Undo: robota resume --remove ${result.id}`);
  }
  if (result.status === 'ready') {
    output.note(`Continue: robota -r ${result.from.agent}:${result.from.id}`);
  }
  return EXIT.done;
}

function printReport(when: string, counts: HandOverReport, output: Output): void {
  output.note(`${when}:`);
  for (const line of describeHandOver(counts)) output.note(`  ${line}`);
}

/** Runs the target's program on this terminal. */
async function continueInTarget(
  result: HandOverResult,
  { words }: ResumeAsOptions,
  output: Output,
): Promise<number> {
  const { id, to, cwd, from } = result;
  if (result.status === 'ready') {
    const prompt = words.length > 0 ? [words.join(' ')] : [];
    const fork = from.agent === 'robota' ? ['--fork-session'] : [];
    return runPrompt(['-r', `${from.agent}:${from.id}`, ...fork, ...prompt], output);
  }
  return resumeElsewhere({ type: toAgentType(to) ?? to, id, agent: to, cwd }, words, output);
}
