import type { LiveQuestion } from '@robota-sdk/agent-sdk';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createEffectRunner, type EffectContext } from '../../../src/terminal/effect-runner.ts';
import type { KeyPress } from '../../../src/terminal/keys/key.ts';
import { currentQuestion, withQuestion } from '../../../src/terminal/state/question.ts';
import { just, type ScreenAction } from '../../../src/terminal/state/screen-action.ts';
import type { ScreenState } from '../../../src/terminal/state/screen-state.ts';
import { updateScreen } from '../../../src/terminal/state/update-screen.ts';
import { emptyScreen, NOW } from './screen-fixture.ts';

beforeEach(() => {
  vi.useFakeTimers({ now: NOW });
});

afterEach(() => {
  vi.useRealTimers();
});

const asked: LiveQuestion = {
  id: 'q1',
  kind: 'permission',
  conversationId: 'main',
  toolName: 'Bash',
  input: { command: 'npm test' },
  choices: [
    { answer: 'allow', label: 'Yes' },
    { answer: 'deny', label: 'No' },
  ],
};

type Update = typeof updateScreen;

interface Story {
  /** How long a key or a picture is on its way, in milliseconds. */
  readonly delay: number;
  readonly events: readonly Event[];
}

/** What happens, so many milliseconds after what happened before. */
interface Event {
  readonly gap: number;
  readonly what:
    | { readonly key: string }
    | { readonly asks: string }
    | { readonly settles: string };
}

const KEYS = ['1', '2', 'a', ' ', 'return', 'tab', 'escape', 'up', 'ctrl+o'] as const;
const IDS = ['q1', 'q2'] as const;

const story: fc.Arbitrary<Story> = fc.record({
  delay: fc.constantFrom(0, 20, 300, 900),
  events: fc.array(
    fc.record({
      gap: fc.constantFrom(0, 30, 150, 600, 1500),
      what: fc.oneof(
        { weight: 6, arbitrary: fc.record({ key: fc.constantFrom(...KEYS) }) },
        { weight: 2, arbitrary: fc.record({ asks: fc.constantFrom(...IDS) }) },
        { weight: 1, arbitrary: fc.record({ settles: fc.constantFrom(...IDS) }) },
      ),
    }),
    { minLength: 3, maxLength: 25 },
  ),
});

const pressOf = (key: string): KeyPress =>
  key.length === 1 ? { kind: 'text', text: key } : { kind: 'key', name: key };

/** The picture is written so long after the state has changed. */
const FRAME_MS = 100;
/** Behind what the person can have read. */
const READING_MS = 500;
const TYPING_MS = 1_000;

/** The id of the question that is on the screen. */
function shown(state: ScreenState): string | undefined {
  const question = currentQuestion(state);
  return question && question.phase !== 'hidden' ? question.id : undefined;
}

/** A person at the end of a slow line: tells every answer that was given by a key which could not mean it. */
async function wrongAnswers({ delay, events }: Story, update: Update): Promise<string[]> {
  const wrong: string[] = [];
  const keys: { readonly key: string; readonly sentAt: number }[] = [];
  /** Ids of questions that wait for an answer: none is asked again meanwhile. */
  const waiting = new Set<string>();
  let state = emptyScreen;
  let openedAt = 0;
  let pressed: { readonly key: string; readonly sentAt: number } | undefined;

  const check = (id: string) => {
    if (!pressed) return;
    const { key, sentAt } = pressed;
    const drawnAt = openedAt + delay;
    if (sentAt < drawnAt) wrong.push(`${key} answered ${id} before it was drawn`);
    const isEntered = keys.some((past) => past.key === 'tab' && past.sentAt >= drawnAt);
    const isTyping = keys.some(({ sentAt: at }) => {
      const arrivedAt = at + delay;
      const readAt = openedAt + FRAME_MS + 2 * delay + READING_MS;
      return arrivedAt > openedAt - TYPING_MS && arrivedAt < Math.min(readAt, Date.now());
    });
    if (key !== 'escape' && !isEntered && isTyping)
      wrong.push(`${key} answered ${id} by typing on`);
  };
  const dispatch = (action: ScreenAction) => {
    const before = shown(state);
    const { state: next, effects } = update(state, action);
    for (const effect of effects) {
      if (effect.type !== 'answer') continue;
      check(effect.questionId);
      waiting.delete(effect.questionId);
    }
    state = next;
    if (shown(state) !== undefined && shown(state) !== before) openedAt = Date.now();
    for (const effect of effects) if (effect.type !== 'answer') run(effect);
  };
  const context: Partial<EffectContext> = {
    session: () => undefined,
    whenOpen: () => new Promise(() => undefined),
    history: undefined,
    dispatch,
    whenDrawn: () => new Promise((resolve) => setTimeout(resolve, FRAME_MS + 2 * delay)),
  };
  const run = createEffectRunner(context as EffectContext);

  for (const { gap, what } of events) {
    await vi.advanceTimersByTimeAsync(gap);
    if ('key' in what) {
      const key = { key: what.key, sentAt: Date.now() };
      setTimeout(() => {
        pressed = key;
        dispatch({ type: 'press', press: pressOf(key.key), at: Date.now() });
        pressed = undefined;
        keys.push(key);
      }, delay);
    } else if ('asks' in what) {
      if (waiting.has(what.asks)) continue;
      waiting.add(what.asks);
      const question = { ...asked, id: what.asks };
      dispatch({ type: 'question_asked', question, diff: undefined, at: Date.now() });
    } else {
      waiting.delete(what.settles);
      dispatch({ type: 'question_resolved', id: what.settles, at: Date.now() });
    }
  }
  await vi.advanceTimersByTimeAsync(10_000);
  return wrong;
}

const holds = (update: Update) =>
  fc.asyncProperty(story, async (told) => {
    expect(await wrongAnswers(told, update)).toEqual([]);
  });

it('no question is answered by a key that was sent before it was drawn, or by typing on', async () => {
  await fc.assert(holds(updateScreen), { numRuns: 1_500 });
}, 60_000);

/** Faults as somebody could make them. */
const FAULTS: Readonly<Record<string, Update>> = {
  'a question opens with the keys': (state, action) => {
    const { state: next, effects } = updateScreen(state, action);
    const question = currentQuestion(next);
    if (question?.phase !== 'opening') return { state: next, effects };
    return just(withQuestion(next, { ...question, phase: 'focused' }), ...effects);
  },
  'digits answer at once': (state, action) => {
    const question = currentQuestion(state);
    const isDigit =
      action.type === 'press' && action.press.kind === 'text' && /\d/.test(action.press.text);
    if (!isDigit || !question || question.phase === 'hidden') return updateScreen(state, action);
    return just(state, { type: 'answer', questionId: question.id, answer: true });
  },
  'an Enter that came before the picture counts': (state, action) => {
    const question = currentQuestion(state);
    const isEnter =
      action.type === 'press' && action.press.kind === 'key' && action.press.name === 'return';
    if (!isEnter || question?.phase !== 'opening') return updateScreen(state, action);
    return updateScreen(withQuestion(state, { ...question, phase: 'focused' }), action);
  },
  'nobody minds a key of the last second': (state, action) => {
    const question = currentQuestion(state);
    if (action.type !== 'question_settled' || !question) return updateScreen(state, action);
    return updateScreen(withQuestion(state, { ...question, isDisturbed: false }), action);
  },
};

describe('the property finds a planted fault', () => {
  it.each(Object.entries(FAULTS))('%s', async (_name, update) => {
    const { failed } = await fc.check(holds(update), { numRuns: 3_000, endOnFailure: true });

    expect(failed).toBe(true);
  });
});
