import { parseTranscripts } from '@robota-sdk/agent-transcript';
import { parseTranscriptFile } from '@robota-sdk/agent-transcript/architectures';
import { describe, expect, it } from 'vitest';
import { briefs } from './brief.ts';
import { recording } from './recordings.ts';
import { event, item, legacyRollout, prompt, reply, rollout, shown } from './rollout.ts';

describe('pairs of records', () => {
  it('become one block, whichever comes first', () => {
    const say = shown({ type: 'AgentMessage', id: 'm1', content: [{ type: 'Text', text: 'Hi.' }] });
    const think = shown({ type: 'Reasoning', id: 'r1', summary_text: ['So.'], raw_content: [] });
    const thought = item({ type: 'reasoning', id: 'r1', summary: [{ text: 'So.' }] });
    const records = [think, thought, say, reply('Hi.', 'm1')];

    const forwards = parseTranscripts('codex', { main: rollout(...records) });
    const backwards = parseTranscripts('codex', { main: rollout(...[...records].reverse()) });

    expect(briefs(forwards.blocks)).toEqual(['thinking: So.', 'text: Hi.']);
    expect(briefs(backwards.blocks)).toEqual(['text: Hi.', 'thinking: So.']);
    expect(forwards.blocks.map((block) => block.id)).toEqual(['r1:0', 'm1:0']);
  });

  it('are joined by their text where older events have no ids', () => {
    const text = legacyRollout(
      event({ type: 'agent_reasoning', text: 'One.' }),
      event({ type: 'agent_reasoning', text: 'Two.' }),
      event({ type: 'agent_message', message: 'Hi.' }),
      event({ type: 'agent_message', message: 'Hi.' }),
      item({ type: 'reasoning', id: 'r1', summary: [{ text: 'One.' }, { text: 'Two.' }] }),
      reply('Hi.', 'm1'),
      reply('Hi.', 'm2'),
    );

    const { blocks } = parseTranscripts('codex', { main: text });

    expect(briefs(blocks)).toEqual(['thinking: One.\nTwo.', 'text: Hi.', 'text: Hi.']);
    expect(blocks.map((block) => block.id)).toEqual(['r1:0', 'm1:0', 'm2:0']);
  });

  it('do not show program text as a prompt', () => {
    const say = (text: string) =>
      item({ type: 'message', role: 'user', content: [{ type: 'input_text', text }] });
    const text = rollout(
      say('<environment_context>\n</environment_context>'),
      say('something a hook put in'),
      say('Do it.'),
      prompt('Do it.'),
      say('<turn_aborted>\n</turn_aborted>'),
    );

    const { blocks } = parseTranscripts('codex', { main: text });

    expect(blocks).toEqual([expect.objectContaining({ id: 'user-Do it.', content: 'Do it.' })]);
  });

  it('keep images of a prompt', () => {
    const content = [
      { type: 'text', text: 'Look: ' },
      { type: 'image', image_url: 'data:image/png;base64,AAAA' },
      { type: 'local_image', path: '/home/tester/a.png' },
    ];

    const main = rollout(shown({ type: 'UserMessage', id: 'u', content }));

    expect(parseTranscripts('codex', { main }).blocks[0]).toMatchObject({
      content: [
        { type: 'text', text: 'Look: ' },
        { type: 'image', source: { type: 'base64', data: 'AAAA', mediaType: 'image/png' } },
        { type: 'image', source: { type: 'url', data: '/home/tester/a.png' } },
      ],
    });
  });
});

describe('compaction', () => {
  it.each(['0.142.0/app-compact/home#0', '0.166.0/app-compact/home#0'])(
    'keeps what was said before and shows the summary as no reply, in %s',
    async (name) => {
      const { blocks } = await parseTranscriptFile('codex', recording(name).path);

      expect(briefs(blocks)).toEqual([
        'user: "@text one"',
        'text: Hello there.',
        'status: Conversation compacted',
        'user: "@think after"',
        expect.stringContaining('thinking: **Considering**'),
        'text: The answer is 42.',
      ]);
      expect(blocks[2]?.metadata).toEqual({
        compaction: expect.objectContaining({
          summary: expect.stringContaining('SUMMARY: things were done.'),
        }),
      });
    },
  );
});
