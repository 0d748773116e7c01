import { asArray, asId, asRecord, asString, isRecord, type JsonRecord } from '../../json-record.ts';
import type { QuestionField } from '../../question.ts';
import {
  ALLOW_FOR_SESSION,
  ALLOW_ONCE,
  DENY,
  type PermissionAnswer,
  type PermissionQuestion,
} from '../permission-question.ts';

/** What the program asks with `can_use_tool`: for permission, but also what a person chooses or thinks of a plan. */
export function toClaudeQuestion(id: string, request: JsonRecord): PermissionQuestion {
  const toolName = asString(request.tool_name) ?? '';
  const input = asRecord(request.input);
  const toolUseId = asId(request.tool_use_id);
  const description = asString(request.description) ?? asString(request.decision_reason);
  const fields = toolName === 'AskUserQuestion' ? fieldsOf(input) : undefined;
  const isLasting = asArray(request.permission_suggestions).length > 0;
  return {
    id,
    toolName,
    input,
    conversationId: asId(request.agent_id) ?? 'main',
    kind: kindOf(toolName),
    choices: isLasting ? [ALLOW_ONCE, ALLOW_FOR_SESSION, DENY] : [ALLOW_ONCE, DENY],
    ...(fields !== undefined && { fields }),
    ...(toolUseId !== undefined && { toolUseId }),
    ...(description !== undefined && { description }),
  };
}

/** The suggestions name the settings of the project; whoever allows for the session does not allow for ever. */
export function toClaudeDecision(answer: PermissionAnswer, request: JsonRecord): object {
  if (isRecord(answer) && 'deny' in answer) return { behavior: 'deny', message: answer.deny };
  const updatedInput =
    isRecord(answer) && 'input' in answer ? answer.input : asRecord(request.input);
  const suggestions = asArray(request.permission_suggestions).filter(isRecord);
  if (answer !== 'allow-session') return { behavior: 'allow', updatedInput };
  const updatedPermissions = suggestions.map((rule) => ({ ...rule, destination: 'session' }));
  return { behavior: 'allow', updatedInput, updatedPermissions };
}

function kindOf(toolName: string): 'permission' | 'choice' | 'plan' {
  if (toolName === 'AskUserQuestion') return 'choice';
  return toolName === 'ExitPlanMode' ? 'plan' : 'permission';
}

function fieldsOf(input: JsonRecord): readonly QuestionField[] {
  return asArray(input.questions).map((value) => {
    const { question, header, options, multiSelect } = asRecord(value);
    const name = asString(question) ?? '';
    return {
      name,
      label: asString(header) ?? name,
      options: asArray(options).map((option) => {
        const { label, description } = asRecord(option);
        return { label: asString(label) ?? '', description: asString(description) };
      }),
      isMultiple: multiSelect === true,
    };
  });
}
