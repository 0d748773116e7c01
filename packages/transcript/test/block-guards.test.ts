import {
  type ConversationBlock,
  isAssistantTextBlock,
  isSubagentBlock,
  isSystemBlock,
  isThinkingBlock,
  isToolResultBlock,
  isToolUseBlock,
  isUserMessageBlock,
} from '@robota-sdk/agent-transcript';
import { expect, it } from 'vitest';

const about = { id: 'x', timestamp: '2026-01-01T00:00:00.000Z' };

const blocks: readonly ConversationBlock[] = [
  { ...about, type: 'user_message', content: 'Hi' },
  { ...about, type: 'assistant_text', content: 'Hello' },
  { ...about, type: 'tool_use', toolName: 'Read', toolUseId: 't', input: {}, status: 'pending' },
  { ...about, type: 'tool_result', toolUseId: 't', output: '', isError: false },
  { ...about, type: 'thinking', content: 'Hm' },
  { ...about, type: 'system', subtype: 'status', message: 'ready' },
  { ...about, type: 'subagent', subagentId: 'a', input: 'Go', status: 'running' },
];

const guards = [
  isUserMessageBlock,
  isAssistantTextBlock,
  isToolUseBlock,
  isToolResultBlock,
  isThinkingBlock,
  isSystemBlock,
  isSubagentBlock,
];

it('has one guard per block type, true only for that type', () => {
  const answers = guards.map((guard) => blocks.map((block) => guard(block)));

  expect(answers).toEqual(blocks.map((_, row) => blocks.map((__, column) => row === column)));
});
