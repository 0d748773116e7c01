import { describe, expect, it } from 'vitest';
import { readAttachments } from '../../src/prompt/attachments.ts';
import { complete, completionAt, storedDrafts } from '../../src/prompt/draft.ts';
import { type PromptFacts, promptAction } from '../../src/prompt/prompt-keys.ts';
import { matchingCommands } from '../../src/prompt/use-suggestions.ts';

const FACTS: PromptFacts = {
  key: 'Enter',
  isShift: false,
  isComposing: false,
  text: 'hello',
  suggestion: undefined,
  isBusy: false,
  hasQueue: false,
};

describe('keys in the prompt', () => {
  it.each<[string, Partial<PromptFacts>, string | undefined]>([
    ['Enter sends', {}, 'send'],
    ['Shift Enter is a new line', { isShift: true }, undefined],
    ['a word being composed is left alone', { isComposing: true }, undefined],
    ['Esc stops what works', { key: 'Escape', isBusy: true }, 'stop'],
    ['Esc does nothing when nothing works', { key: 'Escape' }, undefined],
    ['Up takes back from the queue', { key: 'ArrowUp', text: '', hasQueue: true }, 'take-back'],
    ['Up moves the cursor in a text', { key: 'ArrowUp', hasQueue: true }, undefined],
    ['Tab takes a suggestion', { key: 'Tab', suggestion: '/cost' }, 'take'],
    ['Enter takes a suggestion', { text: '/co', suggestion: '/cost' }, 'take'],
    ['Enter runs a command that is there whole', { text: '/cost', suggestion: '/cost' }, 'send'],
    ['Down moves in the list', { key: 'ArrowDown', suggestion: '/cost' }, 'down'],
    ['Esc hides the list first', { key: 'Escape', isBusy: true, suggestion: '/cost' }, 'quiet'],
  ])('%s', (_, change, action) => expect(promptAction({ ...FACTS, ...change })).toBe(action));
});

describe('completion', () => {
  it.each([
    ['/co', 3, { kind: 'command', query: 'co', from: 0 }],
    ['see @src/a', 10, { kind: 'file', query: 'src/a', from: 4 }],
    ['a /co', 5, undefined],
    ['mail@example', 12, undefined],
    ['plain', 5, undefined],
  ])('of %j', (text, cursor, expected) => expect(completionAt(text, cursor)).toEqual(expected));

  it('replaces the word and moves the cursor behind it', () => {
    expect(complete('see @sr now', { from: 4, cursor: 7, word: '@src/a.ts' })).toEqual({
      text: 'see @src/a.ts now',
      cursor: 14,
    });
  });

  it('ranks commands with a matching prefix before other matches', () => {
    const commands = ['recompile', 'compact', 'cost'].map((name) => ({ name, description: '' }));

    expect(matchingCommands(commands, 'com').map(({ word }) => word)).toEqual([
      '/compact',
      '/recompile',
    ]);
  });
});

it('keeps a draft for each session, and none when it is empty', () => {
  const kept = new Map<string, string>();
  const drafts = storedDrafts({
    getItem: (key) => kept.get(key) ?? null,
    setItem: (key, value) => void kept.set(key, value),
    removeItem: (key) => void kept.delete(key),
  });
  drafts.write('a', 'text');
  drafts.write('b', 'other');
  drafts.write('b', '');

  expect([drafts.read('a'), drafts.read('b'), kept.size]).toEqual(['text', '', 1]);
});

it('accepts images that cannot contain a script, and reports what it skips', async () => {
  const read = await readAttachments([
    new File(['hi'], 'a.png', { type: 'image/png' }),
    new File(['<svg/>'], 'b.svg', { type: 'image/svg+xml' }),
    new File([new Uint8Array(6 * 1024 * 1024)], 'c.png', { type: 'image/png' }),
  ]);

  expect(read.pictures).toEqual([{ name: 'a.png', mediaType: 'image/png', data: 'aGk=' }]);
  expect(read.problems).toEqual([
    'b.svg is no png, jpeg, gif or webp.',
    'c.png is larger than 5 MB.',
  ]);
});
