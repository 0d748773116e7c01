import { asArray, asId, asRecord, asString, compact, type JsonRecord } from '../../json-record.ts';
import {
  ALLOW_FOR_SESSION,
  ALLOW_ONCE,
  DENY,
  type PermissionAnswer,
  type PermissionQuestion,
} from '../permission-question.ts';

/** What `session/request_permission` asks. */
export function toAcpQuestion(params: JsonRecord, id: string): PermissionQuestion {
  const call = asRecord(params.toolCall);
  const toolUseId = asId(call.toolCallId);
  const description = asString(call.title);
  const kinds = new Set(asArray(params.options).map((option) => asRecord(option).kind));
  return {
    id,
    toolName: /^(.+?)(?:__|_\d)/.exec(toolUseId ?? '')?.[1] ?? asString(call.kind) ?? 'tool',
    input: inputOf(call),
    conversationId: 'main',
    choices: [ALLOW_ONCE, ...(kinds.has('allow_always') ? [ALLOW_FOR_SESSION] : []), DENY],
    ...(toolUseId !== undefined && { toolUseId }),
    ...(description !== undefined && { description }),
  };
}

/** The option that says what was answered; a refusal for which there is none cancels. */
export function toAcpOutcome(
  answer: PermissionAnswer,
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

/** The call's own input where the program tells it; else what can be seen of it: a change to a file, a command. */
function inputOf(call: JsonRecord): JsonRecord {
  const raw = asRecord(call.rawInput);
  if (Object.keys(raw).length > 0) return raw;
  const change = asArray(call.content)
    .map(asRecord)
    .find(({ type }) => type === 'diff');
  if (change !== undefined) {
    return compact({
      file_path: asString(change.path),
      old_string: asString(change.oldText),
      new_string: asString(change.newText),
    });
  }
  const path = asString(asRecord(asArray(call.locations)[0]).path);
  const command = call.kind === 'execute' ? asString(call.title) : undefined;
  return compact({ command, file_path: path });
}
