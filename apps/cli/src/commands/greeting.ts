import { listSessionSummaries } from '@robota-sdk/agent-sdk';
import type { ProviderChoice } from '../provider/provider-choice.ts';
import { findPrograms } from './find-programs.ts';

/** Three lines for a first run: who answers, what was found on the machine, what to type. */
export async function greeting(choice: ProviderChoice): Promise<string | undefined> {
  if (listSessionSummaries().length > 0) return undefined;
  const programs = await findPrograms();
  const found = programs.filter(({ path }) => path !== undefined).map(({ title }) => title);
  return [
    answerLine(choice),
    found.length > 0
      ? `Found here: ${found.join(', ')}; /resume shows their sessions too.`
      : 'No other agent programs were found here.',
    'Type a question, / for commands, @ for files; ctrl+c twice leaves.',
  ].join('\n');
}

function answerLine({ kind, reason }: ProviderChoice): string {
  if (kind !== 'demo') return `Answers come from ${kind} (${reason}).`;
  return 'No key found, so an offline demonstration answers; set ANTHROPIC_API_KEY, OPENAI_API_KEY or GEMINI_API_KEY for a real model.';
}
