import type { SubmitOutcome } from '../interactive/execution-result.ts';
import type { SubmitOptions } from '../interactive/options.ts';
import type { LiveSession } from '../live/live-session.ts';
import {
  type CheckedValue,
  type ObjectSchema,
  type OutputOf,
  prepareSchema,
} from './object-schema.ts';

/** How often an invalid answer is sent back to the model. */
const MAX_CORRECTIONS = 1;

/** The model gave no value that conforms to the schema, even after a correction. */
export class ObjectOutputError extends Error {
  override readonly name = 'ObjectOutputError';
  readonly code = 'invalid_output';
  /** The model's last answer. */
  readonly text: string;
  readonly problems: string;
  /** How the last prompt ended; `interrupted` when it was cancelled. */
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

/** A value and the outcome of the prompt it was read from. */
export interface ObjectOutput<Value> {
  readonly object: Value;
  readonly outcome: SubmitOutcome;
}

/**
 * Submits a prompt whose answer must conform to `schema`. Hooks and users see the prompt as given; the schema is added
 * only for the model. An invalid answer is sent back once with its problems. Rejects when no answer conforms.
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
    if (corrections === MAX_CORRECTIONS || outcome.status !== 'completed') {
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

/** The JSON value of an answer: the complete text, a fenced block, or the text between the outermost brackets. */
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
      // Not JSON; the next candidate is tried.
    }
  }
  return { ok: false, problems: 'It is not JSON.' };
}
