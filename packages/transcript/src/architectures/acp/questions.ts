import { asArray, asId, asRecord, asString, type JsonRecord } from '../../json-record.ts';
import {
  type AgentPermissionAnswer,
  ALLOW_FOR_SESSION,
  ALLOW_ONCE,
  DENY,
  type PermissionQuestion,
} from '../permission-question.ts';
import { callInputOf } from './acp-call.ts';

/** Converts `session/request_permission`; the caller knows the `toolName`. */
export function toAcpQuestion(
  params: JsonRecord,
  { id, toolName }: { readonly id: string; readonly toolName: string | undefined },
): PermissionQuestion {
  const call = asRecord(params.toolCall);
  const toolUseId = asId(call.toolCallId);
  const description = asString(call.title);
  const kinds = new Set(asArray(params.options).map((option) => asRecord(option).kind));
  return {
    id,
    toolName: toolName ?? asString(call.kind) ?? 'tool',
    input: callInputOf(call),
    conversationId: 'main',
    kind: call.kind === 'switch_mode' ? 'plan' : 'permission',
    choices: [ALLOW_ONCE, ...(kinds.has('allow_always') ? [ALLOW_FOR_SESSION] : []), DENY],
    ...(toolUseId !== undefined && { toolUseId }),
    ...(description !== undefined && { description }),
  };
}

/** The option that matches the answer; a denial without a matching option cancels. */
export function toAcpOutcome(
  answer: AgentPermissionAnswer,
  options: readonly unknown[],
  signal: AbortSignal,
): JsonRecord {
  if (signal.aborted) return { outcome: 'cancelled' };
  const isDenied = answer === false || (typeof answer === 'object' && 'deny' in answer);
  const allowing = answer === 'allow-session' ? ['allow_always', 'allow_once'] : ['allow_once'];
  const wanted = isDenied ? ['reject_once', 'reject_always'] : allowing;
  const choices = options.map(asRecord);
  const choice = wanted
    .map((kind) => choices.find((option) => option.kind === kind))
    .find((option) => option !== undefined);
  return choice ? { outcome: 'selected', optionId: choice.optionId } : { outcome: 'cancelled' };
}
