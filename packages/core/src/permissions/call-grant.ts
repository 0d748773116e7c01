import type { Tool, ToolExecutionContext, ToolParameters, ToolTouch } from '../tool.ts';
import { contextOf } from './call-context.ts';
import { explainPermission } from './evaluate-permission.ts';
import { isOwnSecret } from './own-secrets.ts';
import type {
  PermissionExplanation,
  PermissionLists,
  PermissionMode,
  UnaskedCommand,
} from './permission.ts';

/** What a decision was about, for the tool that acts on it. */
export interface CallGrant {
  /** Bash that nobody approved: what to run instead of the given text. */
  readonly run?: UnaskedCommand | undefined;
  /** The real places that were judged. A tool that now finds itself led elsewhere refuses. */
  readonly touches?: readonly ToolTouch[] | undefined;
  /** Whether a file that a search finds may be read; takes its real path. */
  readonly mayRead?: ((realPath: string) => boolean) | undefined;
}

/** A call to be judged. */
export interface ToolCallQuestion {
  readonly toolName: string;
  readonly toolArgs: ToolParameters;
  readonly mode: PermissionMode;
  readonly lists: PermissionLists;
  readonly tool?: Tool | undefined;
}

/** What the rules say about a call, and what it has to keep to. */
export interface ToolCallJudgement {
  readonly explanation: PermissionExplanation;
  /** To be passed to the tool by `withGrant`; `run` is left out once a person was asked about the given text. */
  readonly grant: CallGrant;
}

const STRICTNESS = { auto: 0, approve: 1, deny: 2 } as const;

/** The decision on a call as written and on what it really touches, the stricter one; and what the tool must keep to. */
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

/** The same call with its path resolved, under the name it was given by. */
function withTarget(toolArgs: ToolParameters, target: string): ToolParameters {
  const name = PATH_NAMES.find((key) => typeof toolArgs[key] === 'string');
  return name === undefined ? toolArgs : { ...toolArgs, [name]: target };
}

/**
 * Whether files may be read that nobody named: what a rule denies or asks for is not, nor secrets of our own.
 * Undefined where no rule speaks about reading, so that a search need not look at every name.
 */
export function readFilter(
  mode: PermissionMode,
  lists: PermissionLists,
): ((realPath: string) => boolean) | undefined {
  const { deny, ask } = contextOf(mode, lists);
  const rules = [...deny.paths('Read'), ...ask.paths('Read')];
  if (rules.length === 0) return undefined;
  return (real) =>
    !isOwnSecret(real) && !rules.some(({ pattern }) => pattern.catches({ literal: real, real }));
}

interface GrantedContext extends ToolExecutionContext {
  readonly grant?: CallGrant | undefined;
}

/** The context of a call with what the gate decided about it. */
export function withGrant(context: ToolExecutionContext, grant: CallGrant): ToolExecutionContext {
  const granted: GrantedContext = { ...context, grant };
  return granted;
}

/** What the gate decided about a call; undefined where there is no gate. */
export function grantOf(context: GrantedContext): CallGrant | undefined {
  return context.grant;
}
