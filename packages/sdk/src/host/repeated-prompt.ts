import type { SubmitOutcome } from '../interactive/execution-result.ts';
import type { LiveSession } from '../live/live-session.ts';
import type { PromptLedger } from './prompt-ledger.ts';
import type { PromptWords } from './prompt-seal.ts';
import type { CardPrompt } from './session-card.ts';

/** Outcome of a repeated message id; a prompt of an earlier process is answered from the stored ledger. */
export function repeated(
  known: CardPrompt,
  words: PromptWords,
  {
    session,
    ledger,
    outcomes,
  }: {
    readonly session: LiveSession;
    readonly ledger: PromptLedger;
    readonly outcomes: ReadonlyMap<string, Promise<SubmitOutcome>>;
  },
): Promise<SubmitOutcome> {
  if (!ledger.says(known, words)) {
    const message = `The message id ${known.id} was used for another prompt; choose a fresh one.`;
    return Promise.reject(Object.assign(new Error(message), { code: 'message_id_reused' }));
  }
  const running = outcomes.get(known.id);
  if (running) return running;
  const { status = 'interrupted', response = '' } = known.ended ?? {};
  if (status === 'failed') {
    return Promise.resolve({ status, error: new Error(response), endedBy: 'error' });
  }
  const result = {
    response,
    history: [],
    toolSummaries: [],
    contextState: session.getContextState(),
    endedBy: status === 'completed' ? ('answer' as const) : ('abort' as const),
  };
  return Promise.resolve({ status: status === 'completed' ? status : 'interrupted', result });
}
