import { expect, it } from 'vitest';
import { ReplyBuilder } from '../../src/translate/reply-builder.ts';
import type { PromptRules } from '../../src/translate/to-prompt.ts';

it('gives every call of a reply an id of its own, although the vendor repeats or omits it', () => {
  const builder = new ReplyBuilder({ family: 'anthropic' } as PromptRules);
  for (const toolCallId of ['t', 't', '', 't', '', 'u']) {
    builder.addCall({ type: 'tool-call', toolCallId, toolName: 'ls', input: '{}' });
  }

  expect(builder.toolCalls.map(({ id }) => id)).toEqual([
    't',
    't_2',
    'call_3',
    't_3',
    'call_5',
    'u',
  ]);
});
