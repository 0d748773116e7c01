import {
  type ConversationBlock,
  describeTool,
  type StreamEvent,
  type ToolStep,
  type ToolUseBlock,
} from '@robota-sdk/agent-transcript';

/** The to-do list of the last call that wrote one. */
export function stepsIn(blocks: readonly ConversationBlock[]): readonly ToolStep[] {
  const last = blocks.findLast((block) => block.type === 'tool_use' && isList(block));
  return last?.type === 'tool_use' ? (describeTool(last).steps ?? []) : [];
}

/** The to-do list after an event. */
export function stepsAfter(steps: readonly ToolStep[], event: StreamEvent): readonly ToolStep[] {
  if (event.type !== 'block_complete' || event.block.type !== 'tool_use') return steps;
  return isList(event.block) ? (describeTool(event.block).steps ?? steps) : steps;
}

function isList(block: ToolUseBlock): boolean {
  return block.status !== 'error' && describeTool(block).steps !== undefined;
}
