import type { ConversationBlock } from '@robota-sdk/agent-transcript';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import { BlockView } from '../../src/blocks/block-view.tsx';
import { QuestionCard } from '../../src/question/question-card.tsx';

/** What a shell runs and a reader of escape sequences would not see. */
const HIDDEN = {
  'a title of a terminal': ['echo hi \u001b]0;; touch made #\u0007', 'touch made'],
  'a colour': ['echo \u001b[;touch$IFS\u0060made\u0060m', 'touch$IFS'],
  'a reversed text': ['echo \u202eedam hcuot\u202c', '\\u{202e}'],
  'a line that returns': ['touch made\recho hello', '␍'],
  'an invisible letter': ['ca\u200bt a', '\\u{200b}'],
} as const;

const question = (toolName: string, input: Record<string, unknown>, explanation?: string) =>
  renderToStaticMarkup(
    <QuestionCard
      question={{ id: 'q', toolName, input, fields: undefined, explanation, allows: () => true }}
      project="p"
      isAnswerable
      onDecide={() => undefined}
      onAnswer={() => undefined}
      onUnsent={() => undefined}
    />,
  );

it.each(Object.entries(HIDDEN))(
  'a question shows a command behind %s',
  (_name, [command, seen]) => {
    const card = question('Bash', { command }, `No rule allows “${command}”.`);

    // In the title, in the reason and in the details.
    expect(card.split(seen).length).toBe(4);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: none of them may reach the card.
    expect(card).not.toMatch(/[\u0007\u001b\u202e\u200b\r]/);
  },
);

it.each(Object.entries(HIDDEN))(
  'a tool call shows a command behind %s',
  (_name, [command, seen]) => {
    const block: ConversationBlock = {
      type: 'tool_use',
      id: 'b',
      timestamp: '2026-11-16T12:00:00.000Z',
      toolName: 'Bash',
      toolUseId: 'b',
      input: { command },
      status: 'success',
    };

    expect(renderToStaticMarkup(<BlockView block={block} />)).toContain(seen);
  },
);

it('a question shows hidden characters in the lines of a change', () => {
  const input = { file_path: 'a.ts', old_string: 'a', new_string: 'if (isAdmin\u202e // \u2066)' };
  const card = question('Edit', input);

  expect(card).toContain('\\u{202e}');
  expect(card).not.toContain('\u202e');
});
