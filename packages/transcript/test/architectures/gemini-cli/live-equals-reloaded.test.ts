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
 * 2. the live output of a tool is the displayed text, often nothing; errors are the same;
 * 3. a call's display name and description, and in ACP its arguments and the result of a refused one, are only in
 *    the transcript;
 * 4. which thread is a subagent's, and its report, are only in the transcript;
 * 5. prompts are not in ACP unless the host passes them on; images of a prompt are not live;
 * 6. errors of a turn are only live; the prompt of a turn that failed is forgotten by the program (superseded);
 * 7. blocks that were open when the program was stopped are only live;
 * 8. text of a retried request appears twice live, without a mark;
 * 9. blocks of earlier runs of a resumed session, and compactions, are only in the transcript;
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

  it("uses the transcript's ids for calls and results", () => {
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

it('shows the text of a retried request twice live', () => {
  const retry = streamed.find(({ name }) => name === '24-retry');

  expect(retry && foldLive(retry).blocks).toMatchObject([
    { content: 'say' },
    { content: 'Half a Whole answer.' },
  ]);
});

it('continues a reloaded session with the events of the next run', () => {
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

/** The block without the fields listed above. */
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
