import {
  explainPermission,
  type PermissionExplanation,
  type PermissionLists,
  type PermissionMode,
  type Tool,
  type ToolParameters,
} from '@robota-sdk/agent-core';

const STRICTNESS = { auto: 0, approve: 1, deny: 2 } as const;

export interface GateQuestion {
  readonly toolName: string;
  readonly toolArgs: ToolParameters;
  readonly mode: PermissionMode;
  readonly lists: PermissionLists;
  readonly tool?: Tool | undefined;
}

/** The rules' decision on a call as written and on what it really touches; the stricter one counts. */
export async function judgeCall(question: GateQuestion): Promise<PermissionExplanation> {
  const { toolName, toolArgs, mode, lists, tool } = question;
  let strictest = explainPermission(toolName, toolArgs, mode, lists);
  const context = lists.cwd === undefined ? {} : { cwd: lists.cwd };
  for (const touch of (await tool?.touches?.(toolArgs, context)) ?? []) {
    if (touch.kind !== 'read' && touch.kind !== 'write') continue;
    const real = explainPermission(toolName, withTarget(toolArgs, touch.target), mode, lists);
    if (STRICTNESS[real.decision] > STRICTNESS[strictest.decision]) strictest = real;
  }
  return strictest;
}

/** The same call with its path resolved, under the name it was given by. */
function withTarget(toolArgs: ToolParameters, target: string): ToolParameters {
  const name = ['filePath', 'file_path', 'path'].find((key) => typeof toolArgs[key] === 'string');
  return name === undefined ? toolArgs : { ...toolArgs, [name]: target };
}
