import type { Tool, ToolParameters } from '../tool.ts';
import { contextOf } from './call-context.ts';
import type { CallGrant } from './call-grant.ts';
import { explainPermission } from './evaluate-permission.ts';
import { isOwnSecret } from './own-secrets.ts';
import type { PermissionExplanation, PermissionLists, PermissionMode } from './permission.ts';

/** A tool call with the rules and mode to check it against. */
export interface ToolCallQuestion {
  readonly toolName: string;
  readonly toolArgs: ToolParameters;
  readonly mode: PermissionMode;
  readonly lists: PermissionLists;
  readonly tool?: Tool | undefined;
}

/** The decision about a call, and the limits the tool must respect. */
export interface ToolCallJudgement {
  readonly explanation: PermissionExplanation;
  /** Passed to the tool by `withGrant`; without `run` when the user was asked about the given text. */
  readonly grant: CallGrant;
}

const STRICTNESS = { auto: 0, approve: 1, deny: 2 } as const;

/** Decides about a call as written and about its real paths; the stricter decision wins. */
export async function judgeToolCall(question: ToolCallQuestion): Promise<ToolCallJudgement> {
  const { toolName, toolArgs, mode, lists, tool } = question;
  let explanation = explainPermission(toolName, toolArgs, mode, lists);
  const context = lists.cwd === undefined ? {} : { cwd: lists.cwd };
  const touches = (await tool?.touches?.(toolArgs, context)) ?? [];
  for (const touch of touches) {
    if (touch.kind !== 'read' && touch.kind !== 'write') continue;
    const real = explainPermission(toolName, withTarget(toolArgs, touch.target), mode, lists);
    if (STRICTNESS[real.decision] > STRICTNESS[explanation.decision]) explanation = real;
  }
  const run = explanation.decision === 'auto' ? explanation.run : undefined;
  return { explanation, grant: { run, touches, mayRead: readFilter(mode, lists) } };
}

const PATH_NAMES = ['filePath', 'file_path', 'path', 'workingDirectory', 'working_directory'];

/** The same call with its path resolved, under the parameter name that was given. */
function withTarget(toolArgs: ToolParameters, target: string): ToolParameters {
  const name = PATH_NAMES.find((key) => typeof toolArgs[key] === 'string');
  return name === undefined ? toolArgs : { ...toolArgs, [name]: target };
}

/**
 * Whether files that the call does not name may be read: no file that a rule denies or asks for, and none of Robota's
 * own secrets. Undefined without rules about reading, so that a search need not check every name.
 */
export function readFilter(
  mode: PermissionMode,
  lists: PermissionLists,
): ((realPath: string) => boolean) | undefined {
  const { deny, ask } = contextOf(mode, lists);
  const rules = [...deny.paths('Read'), ...ask.paths('Read')];
  if (rules.length === 0) return undefined;
  return (real) =>
    !isOwnSecret(real) && !rules.some(({ pattern }) => pattern.matches({ literal: real, real }));
}
