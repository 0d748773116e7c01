import type { SubmitOutcome } from '../interactive/execution-result.ts';
import type { SubmitOptions } from '../interactive/options.ts';
import type { LiveSession } from '../live/live-session.ts';
import {
  type CheckedValue,
  type ObjectSchema,
  type OutputOf,
  prepareSchema,
} from './object-schema.ts';

/** How often an answer that does not fit is sent back. */
const CORRECTIONS = 1;

/** The model was asked for a value of a certain shape and gave none, also when it was told what was wrong. */
export class ObjectOutputError extends Error {
  override readonly name = 'ObjectOutputError';
  readonly code = 'invalid_output';
  /** What the model said in the end. */
  readonly text: string;
  readonly problems: string;
  /** How the last prompt ended; `interrupted` where it was called off. */
  readonly outcome: SubmitOutcome;

  constructor(text: string, problems: string, outcome: SubmitOutcome) {
    super(
      `The model gave no answer that fits the schema. ${problems}\nAsk a more capable model, or for less.`,
    );
    this.text = text;
    this.problems = problems;
    this.outcome = outcome;
  }
}

/** A value and the prompt's outcome it was taken from. */
export interface ObjectOutput<Value> {
  readonly object: Value;
  readonly outcome: SubmitOutcome;
}

/**
 * Submits a prompt whose answer has to fit `schema`. Hooks and people see the prompt as it was given; the model is
 * told the schema. An answer that does not fit is sent back once with what is wrong. Rejects when there is none.
 */
export async function submitForObject<Schema extends ObjectSchema>(
  session: Pick<LiveSession, 'submit'>,
  prompt: string,
  { schema, ...options }: SubmitOptions & { readonly schema: Schema },
): Promise<ObjectOutput<OutputOf<Schema>>> {
  const { text: shape, check } = await prepareSchema(schema);
  let outcome = await session.submit(`${prompt}\n\n${instruction(shape)}`, prompt, prompt, options);
  for (let corrections = 0; ; corrections++) {
    if (outcome.status === 'failed') throw outcome.error;
    const { response } = 'result' in outcome ? outcome.result : { response: '' };
    const found = readJson(response);
    const checked = found.ok ? await check(found.value) : found;
    if (checked.ok) return { object: checked.value as OutputOf<Schema>, outcome };
    if (corrections === CORRECTIONS || outcome.status !== 'completed') {
      throw new ObjectOutputError(response, checked.problems, outcome);
    }
    outcome = await session.submit(correction(checked.problems, shape));
  }
}

function instruction(shape: string): string {
  return `When you are done, answer with one JSON value that fits the JSON Schema below, and with nothing else: no words around it, no code fence.\n${shape}`;
}

function correction(problems: string, shape: string): string {
  return `That answer does not fit the JSON Schema:\n${problems}\nAnswer again with the corrected JSON value and nothing else. The schema:\n${shape}`;
}

/** The JSON value of an answer: the whole of it, a fenced block, or what stands between the outermost brackets. */
function readJson(answer: string): CheckedValue {
  const fenced = [...answer.matchAll(/```(?:json)?\s*\n([\s\S]*?)```/g)].at(-1)?.[1];
  const begin = answer.search(/[[{]/);
  const end = Math.max(answer.lastIndexOf('}'), answer.lastIndexOf(']'));
  const inner = begin >= 0 && end > begin ? answer.slice(begin, end + 1) : undefined;
  for (const text of [answer, fenced, inner]) {
    if (text === undefined) continue;
    try {
      return { ok: true, value: JSON.parse(text) };
    } catch {
      // Not this one.
    }
  }
  return { ok: false, problems: 'It is not JSON.' };
}
