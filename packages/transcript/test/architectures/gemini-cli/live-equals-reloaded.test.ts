import {
  applyStreamEvent,
  type ConversationBlock,
  type ConversationState,
  createStreamTranslator,
  EMPTY_CONVERSATION,
  parseTranscripts,
  reconcileBlocks,
} from '@robota-sdk/agent-transcript';
import { describe, expect, it } from 'vitest';
import { type Recording, recordings } from './recordings.ts';

/**
 * What may differ, because Gemini CLI streams it differently or not at all:
 * 1. thoughts, and everything subagents do, are not in stream-json;
 * 2. the output of a tool is live what a person is shown, often nothing; errors are the same;
 * 3. a call's display name and description, and in ACP its arguments and what a refused one is told, are only in
 *    the transcript;
 * 4. which thread is a subagent's, and its report, are only in the transcript;
 * 5. a person's prompts are not in ACP unless the host hands them over; pictures of a prompt are not live;
 * 6. errors of a turn are only live; the prompt of a turn that failed is forgotten by the program (superseded);
 * 7. what was under way when the program was stopped is only live;
 * 8. text of a request that was repeated is live there twice, without a mark;
 * 9. what earlier runs of a resumed session did, and compactions, are only in the transcript;
 * 10. times; in ACP there are none; and the model, which may be named "auto" live.
 */
const streamed = recordings.filter(({ live }) => live.length > 0);
const settled = streamed.filter(({ name }) => !/^(?:13|15|24)-|automodel/.test(name));

describe.each(settled)('$name', (recording) => {
  const state = foldLive(recording);
  const { blocks } = parseTranscripts('gemini-cli', recording.raw);
  const counterpart = reconcileBlocks(state.blocks.map(comparable), blocks.map(comparable));

  it('shows live nothing that a reload would not show, in the same order', () => {
    const places = state.blocks.map(({ id }) =>
      blocks.findIndex((block) => block.id === counterpart.get(id)),
    );

    expect(places).not.toContain(-1);
    expect(places).toEqual([...places].sort((one, other) => one - other));
  });

  it('names calls and results as the transcript does', () => {
    for (const block of state.blocks.filter(isAboutCall))
      expect(counterpart.get(block.id)).toBe(block.id);
  });

  it('leaves out only what is not streamed', () => {
    const shown = new Set(counterpart.values());
    const firstShown = blocks.findIndex(({ id }) => shown.has(id));
    const missing = blocks.slice(firstShown).filter(({ id }) => !shown.has(id));
    const isUnstreamed = isAcp(recording) ? isSilentInAcp : isSilentInStreamJson;

    expect(missing.filter((block) => !isUnstreamed(block))).toEqual([]);
  });
});

it.each(streamed.filter(({ name }) => name.startsWith('13-')))(
  'shows live in $name the prompt and the error of a turn that failed',
  (recording) => {
    expect(foldLive(recording).blocks).toMatchObject([
      { type: 'user_message', content: 'hi' },
      { type: 'system', subtype: 'error', message: expect.stringContaining('API Error') },
    ]);
  },
);

it.each(streamed.filter(({ name }) => /^15-.*mid/.test(name)))(
  'shows live in $name what was under way, which the transcript has lost',
  (recording) => {
    const [prompt, open, ...more] = foldLive(recording).blocks;

    expect(prompt).toMatchObject({ type: 'user_message' });
    expect(open).toMatchObject(
      recording.name.endsWith('midtool')
        ? { type: 'tool_use', status: 'pending' }
        : { type: 'assistant_text', content: 'Streaming part one. part two.' },
    );
    expect(more).toEqual([]);
  },
);

it('shows live the text of a repeated request twice', () => {
  const retry = streamed.find(({ name }) => name === '24-retry');

  expect(retry && foldLive(retry).blocks).toMatchObject([
    { content: 'say' },
    { content: 'Half a Whole answer.' },
  ]);
});

it('follows a transcript: events of the next run continue a reloaded session', () => {
  const next = streamed.find(({ name }) => name === '11-resume:2');
  const before = recordings.find(({ name }) => name === '11-resume:1');
  if (next === undefined || before === undefined)
    throw new Error('The recordings of a resume are missing');

  const state = foldLive(next, parseTranscripts('gemini-cli', before.raw));

  const reloaded = parseTranscripts('gemini-cli', next.raw).blocks;
  expect(state.blocks.map(comparable)).toMatchObject(
    reloaded.map((block) => ({
      ...comparable(block),
      id: expect.any(String),
      timestamp: expect.any(String),
    })),
  );
});

function foldLive(
  { live }: Recording,
  from: ConversationState = EMPTY_CONVERSATION,
): ConversationState {
  const translator = createStreamTranslator('gemini-cli', () => '2000-01-01T00:00:00.000Z');
  const events = live.flatMap((event) => translator.translate(event));
  return [...events, ...translator.end()].reduce(applyStreamEvent, from);
}

/** The block without what the list above says may differ. */
function comparable(block: ConversationBlock): ConversationBlock {
  if (block.type !== 'user_message' || typeof block.content === 'string') return block;
  const texts = block.content.map((part) => (part.type === 'text' ? part.text : ''));
  return { ...block, content: texts.join('') };
}

function isAboutCall({ type }: ConversationBlock): boolean {
  return type === 'tool_use' || type === 'tool_result' || type === 'subagent';
}

function isSilentInStreamJson({ type }: ConversationBlock): boolean {
  return type === 'thinking';
}

function isSilentInAcp(block: ConversationBlock): boolean {
  const isRefusal =
    block.type === 'tool_result' && String(block.output).includes('was canceled by the user');
  return block.type === 'user_message' || isRefusal;
}

function isAcp({ live }: Recording): boolean {
  return JSON.stringify(live[0]).includes('jsonrpc');
}
