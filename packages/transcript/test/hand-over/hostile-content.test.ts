import { parseTranscripts, toAgentType } from '@robota-sdk/agent-transcript';
import { registeredAgent, toSteps } from '@robota-sdk/agent-transcript/architectures';
import { describe, expect, it } from 'vitest';
import { checkLines } from './strict-checkers.ts';

const NEW_SESSION = {
  id: '00000000-0000-4000-8000-0000000000aa',
  cwd: '/code/space',
  now: new Date('2026-11-16T10:00:00.000Z'),
  origin: { agent: 'claude', title: 'Claude Code', id: 's' },
};

const HALF = '\ud83d';

const TEXTS = [
  '',
  ' ',
  'hello',
  HALF,
  'a\udc00b',
  'x\u0000y',
  '\u001b[2J',
  '/clear',
  '?',
  '<session_context>',
  '<command-name>/x</command-name>',
  '\u2028',
  'x'.repeat(3000),
  '\\ud83d as text',
  '[Request interrupted by user]',
];
const IDS = ['toolu_1', 'toolu_1', '../../../etc/passwd', '', 'x'.repeat(300), HALF, '__proto__'];
const NAMES = ['Read', '', '9lives', 'a b', '../x', 'x'.repeat(200), HALF, '__proto__'];
const INPUTS = [{}, { a: HALF }, [], 'text', null, { [HALF]: 1 }, { deep: { deep: ['\udfff'] } }];
const TIMES = ['2026-11-10T10:00:00.000Z', 'not a time', '', undefined, 5];
const SOURCES = [
  { type: 'base64', media_type: 'image/png', data: 'AAAA' },
  { type: 'base64', media_type: 'text/evil\n', data: HALF },
  { type: 'url', url: 'file:///etc/passwd' },
  { type: 'url', url: 'https://example.com/y.png' },
  {},
  null,
];

/** Sessions of Claude Code in which every field may be something else than expected; the same for the same seed. */
function hostileSession(seed: number): string {
  let state = seed;
  const number = (limit: number) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * limit);
  };
  const pick = <Value>(values: readonly Value[]): Value => values[number(values.length)] as Value;
  const media = () => ({ type: pick(['image', 'document']), source: pick(SOURCES) });
  const parts = [
    () => ({ type: 'text', text: pick(TEXTS) }),
    () => ({ type: 'tool_use', id: pick(IDS), name: pick(NAMES), input: pick(INPUTS) }),
    () => ({
      type: 'tool_result',
      tool_use_id: pick(IDS),
      content: pick<unknown>([pick(TEXTS), [media()], null, 5]),
      is_error: pick([true, undefined, 'x']),
    }),
    media,
    () => ({ type: 'thinking', thinking: pick(TEXTS) }),
    () => pick<unknown>([null, 5, 'x', {}]),
  ];
  const line = (index: number) => {
    const role = pick(['user', 'assistant']);
    const content = pick<unknown>([
      pick(TEXTS),
      Array.from({ length: number(4) }, () => pick(parts)()),
    ]);
    return JSON.stringify({
      type: role,
      uuid: `u${index}`,
      parentUuid: index === 0 ? null : `u${index - 1}`,
      sessionId: '../../x',
      cwd: pick(['/code/space', HALF, '../..']),
      timestamp: pick(TIMES),
      message: { id: `m${index}`, role, model: pick(['m', HALF, undefined]), content },
    });
  };
  return Array.from({ length: 1 + number(12) }, (_, index) => line(index)).join('\n');
}

describe.each(['claude', 'codex', 'gemini'])('a hostile session written for %s', (name) => {
  const type = toAgentType(name) ?? '';

  it('is accepted by the program and its vendor, whatever it contains', () => {
    for (let seed = 1; seed <= 400; seed++) {
      const main = hostileSession(seed);
      const steps = toSteps(parseTranscripts('claude-agent-sdk', { main }).blocks);

      const lines = [...(registeredAgent(type).writer?.lines(steps, NEW_SESSION) ?? [])];

      const problems = checkLines(type, lines);
      const halves = lines.filter((line) => /(?<!\\)(?:\\\\)*\\ud[89a-f]/i.test(line));
      const { skipped } = parseTranscripts(type, { main: lines.join('\n') });
      expect({ seed, problems, halves, skipped: skipped.lines }).toEqual({
        seed,
        problems: [],
        halves: [],
        skipped: 0,
      });
    }
  });
});

it('a whole pair stays, half a pair is replaced', () => {
  const main = JSON.stringify({
    type: 'user',
    uuid: 'u',
    parentUuid: null,
    timestamp: '2026-11-10T10:00:00.000Z',
    message: { role: 'user', content: 'whole pair \ud83d\ude00, half \ud83d' },
  });

  const steps = toSteps(parseTranscripts('claude-agent-sdk', { main }).blocks);

  expect(steps).toMatchObject([
    { parts: [{ type: 'text', text: 'whole pair \ud83d\ude00, half \ufffd' }] },
  ]);
});
