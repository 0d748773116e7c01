import type { ConversationBlock, ToolUseBlock } from '../../blocks.ts';
import { asNumber, asRecord, asString, compact, type JsonRecord } from '../../json-record.ts';

/** The call block of a running shell line. */
export function shellCallBlock({ id, command }: JsonRecord, timestamp: string): ToolUseBlock {
  return callBlock(`shell:${asString(id) ?? ''}`, asString(command) ?? '', timestamp, 'running');
}

/** The call and result of a finished shell line; empty for other messages. */
export function shellBlocks(message: JsonRecord, timestamp: string): ConversationBlock[] {
  const facts = asRecord(message.metadata);
  const callId = asString(facts.shellCallId);
  if (callId === undefined) return [];
  const exitCode = asNumber(facts.shellExitCode);
  const problem = asString(facts.shellProblem);
  const isError = problem !== undefined || (exitCode ?? 0) !== 0;
  const command = asString(facts.shellCommand) ?? '';
  const output = asString(facts.shellOutput) ?? '';
  return [
    callBlock(callId, command, timestamp, isError ? 'error' : 'success'),
    {
      type: 'tool_result',
      id: `${callId}:result`,
      timestamp,
      toolUseId: callId,
      output: JSON.stringify(compact({ success: !isError, output, exitCode, error: problem })),
      isError,
    },
  ];
}

function callBlock(
  callId: string,
  command: string,
  timestamp: string,
  status: ToolUseBlock['status'],
): ToolUseBlock {
  return {
    type: 'tool_use',
    id: callId,
    timestamp,
    toolName: 'Bash',
    toolUseId: callId,
    input: { command },
    status,
    metadata: { typedBy: 'user' },
  };
}
