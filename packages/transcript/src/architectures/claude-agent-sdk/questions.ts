import { asArray, asId, asRecord, asString, isRecord, type JsonRecord } from '../../json-record.ts';
import type { QuestionField } from '../../question.ts';
import {
  type AgentPermissionAnswer,
  ALLOW_FOR_SESSION,
  ALLOW_ONCE,
  DENY,
  type PermissionQuestion,
} from '../permission-question.ts';

/** Converts `can_use_tool`: a permission, a choice, or approval of a plan. */
export function toClaudeQuestion(id: string, request: JsonRecord): PermissionQuestion {
  const toolName = asString(request.tool_name) ?? '';
  const input = asRecord(request.input);
  const toolUseId = asId(request.tool_use_id);
  const description = asString(request.description) ?? asString(request.decision_reason);
  const fields = toolName === 'AskUserQuestion' ? fieldsOf(input) : undefined;
  const canAllowForSession = asArray(request.permission_suggestions).length > 0;
  return {
    id,
    toolName,
    input,
    conversationId: asId(request.agent_id) ?? 'main',
    kind: kindOf(toolName),
    choices: canAllowForSession ? [ALLOW_ONCE, ALLOW_FOR_SESSION, DENY] : [ALLOW_ONCE, DENY],
    ...(fields !== undefined && { fields }),
    ...(toolUseId !== undefined && { toolUseId }),
    ...(description !== undefined && { description }),
  };
}

/** The suggestions target the project's settings; an answer for the session must not persist there. */
export function toClaudeDecision(answer: AgentPermissionAnswer, request: JsonRecord): object {
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
