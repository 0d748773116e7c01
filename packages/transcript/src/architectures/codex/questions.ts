import { asArray, asId, asRecord, asString, compact, type JsonRecord } from '../../json-record.ts';
import type { QuestionField } from '../../question.ts';
import {
  type AgentPermissionAnswer,
  DENY,
  type PermissionQuestion,
} from '../permission-question.ts';

/** A question and the format of its response. */
export interface CodexQuestion {
  readonly question: PermissionQuestion;
  toResponse(answer: AgentPermissionAnswer): JsonRecord;
}

/** Converts a request of the app-server; `undefined` for requests that are not questions. */
export function toCodexQuestion(
  method: string,
  params: JsonRecord,
  about: Pick<PermissionQuestion, 'id' | 'conversationId'>,
): CodexQuestion | undefined {
  const toolUseId = asId(params.itemId) ?? asId(params.callId);
  const description = asString(params.reason) ?? asString(params.message);
  const common = {
    ...about,
    ...(toolUseId !== undefined && { toolUseId }),
    ...(description !== undefined && { description }),
  };
  const toolName = APPROVALS.get(method);
  if (toolName !== undefined) {
    const question = { ...common, toolName, input: ownInput(params) };
    return { question, toResponse: (answer) => ({ decision: decisionOf(answer) }) };
  }
  if (method === 'item/tool/requestUserInput') return userInput(params, common);
  if (method === 'mcpServer/elicitation/request') return elicitation(params, common);
  return undefined;
}

type Common = Omit<PermissionQuestion, 'toolName' | 'input'>;

const APPROVALS: ReadonlyMap<string, string> = new Map([
  ['item/commandExecution/requestApproval', 'shell'],
  ['item/fileChange/requestApproval', 'apply_patch'],
  ['item/permissions/requestApproval', 'request_permissions'],
]);

/** The call's own parameters, without protocol fields. */
function ownInput(params: JsonRecord): JsonRecord {
  return compact(
    Object.fromEntries(
      Object.entries(params).filter(([key, value]) => !PROTOCOL_FIELDS.has(key) && value !== null),
    ),
  );
}

const PROTOCOL_FIELDS: ReadonlySet<string> = new Set([
  'approvalId',
  'availableDecisions',
  'callId',
  'environmentId',
  'itemId',
  'reason',
  'startedAtMs',
  'threadId',
  'turnId',
]);

function decisionOf(answer: AgentPermissionAnswer): string {
  if (answer === 'allow-session') return 'acceptForSession';
  return isDenied(answer) ? 'decline' : 'accept';
}

function isDenied(answer: AgentPermissionAnswer): boolean {
  return answer === false || (typeof answer === 'object' && 'deny' in answer);
}

function userInput(params: JsonRecord, common: Common): CodexQuestion {
  const asked = asArray(params.questions).map(asRecord);
  const fields = asked.map(
    ({ id, question, header, options }): QuestionField => ({
      name: asId(id) ?? asString(question) ?? '',
      label: asString(question) ?? asString(header) ?? '',
      options: asArray(options).map((option) => {
        const { label, description } = asRecord(option);
        return { label: asString(label) ?? '', description: asString(description) };
      }),
      isMultiple: false,
    }),
  );
  const input = { questions: params.questions };
  const question = {
    ...common,
    toolName: 'request_user_input',
    kind: 'choice' as const,
    input,
    choices: [DENY],
    fields,
  };
  return {
    question,
    toResponse: (answer) => ({
      answers: Object.fromEntries(
        Object.entries(answersOf(answer)).map(([name, text]) => [name, { answers: [text] }]),
      ),
    }),
  };
}

/** An MCP server requests a form, defined by its schema. */
function elicitation(params: JsonRecord, common: Common): CodexQuestion {
  const { properties } = asRecord(params.requestedSchema);
  const fields = Object.entries(asRecord(properties)).map(([name, value]): QuestionField => {
    const { title, description, enum: options } = asRecord(value);
    return {
      name,
      label: asString(title) ?? asString(description) ?? name,
      options: asArray(options).map((option) => ({ label: String(option) })),
      isMultiple: false,
    };
  });
  const question = {
    ...common,
    toolName: asString(params.serverName) ?? 'mcp',
    kind: 'form' as const,
    input: ownInput(params),
    choices: [DENY],
    fields,
  };
  return {
    question,
    toResponse: (answer) =>
      isDenied(answer)
        ? { action: 'decline', content: null }
        : { action: 'accept', content: answersOf(answer) },
  };
}

function answersOf(answer: AgentPermissionAnswer): Readonly<Record<string, unknown>> {
  if (typeof answer !== 'object' || !('input' in answer)) return {};
  return asRecord(answer.input.answers);
}
