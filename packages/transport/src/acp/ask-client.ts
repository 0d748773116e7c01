import {
  type AgentContext,
  type ClientCapabilities,
  type CreateElicitationRequest,
  methods,
  type PermissionOption,
  type ToolCallContent,
  type ToolCallUpdate,
} from '@agentclientprotocol/sdk';
import type { LiveAnswer, LiveQuestion } from '@robota-sdk/agent-sdk';
import type { ToolUseBlock } from '@robota-sdk/agent-transcript';
import { showCall } from './tool-content.ts';

export interface AskParts {
  readonly client: AgentContext;
  readonly capabilities: ClientCapabilities;
  readonly sessionId: string;
  readonly cwd: string;
  /** Aborted when the question is answered elsewhere or the turn ends; closes the editor's dialog. */
  readonly signal: AbortSignal;
}

/** Asks the user in the editor. Undefined when the question was withdrawn or dismissed. */
export async function askClient(
  question: LiveQuestion,
  parts: AskParts,
): Promise<LiveAnswer | undefined> {
  const wantsWords = question.kind === 'choice' || question.kind === 'form';
  if (!wantsWords) return askPermission(question, parts);
  return parts.capabilities.elicitation?.form
    ? askForm(question, parts)
    : askFields(question, parts);
}

async function askPermission(
  question: LiveQuestion,
  parts: AskParts,
): Promise<LiveAnswer | undefined> {
  const options = question.choices.map(
    ({ answer, label }): PermissionOption => ({
      optionId: answer,
      name: label,
      kind: OPTION_KINDS[answer],
    }),
  );
  const chosen = await choose(question, options, parts);
  return question.choices.find(({ answer }) => answer === chosen)?.answer;
}

/** Without forms, each field is asked as a choice; free-text fields cannot be asked. */
async function askFields(question: LiveQuestion, parts: AskParts): Promise<LiveAnswer | undefined> {
  const answers: Record<string, string> = {};
  for (const { name, label, options } of question.fields ?? []) {
    if (options.length === 0) return { deny: 'The editor cannot ask for body.' };
    const offered = options.map(
      (option): PermissionOption => ({
        optionId: option.label,
        name: option.label,
        kind: 'allow_once',
      }),
    );
    const refusal: PermissionOption = { optionId: '', name: 'No answer', kind: 'reject_once' };
    const asked = { ...question, explanation: label };
    const chosen = await choose(asked, [...offered, refusal], parts);
    if (chosen === undefined) return undefined;
    if (chosen === '') return 'deny';
    answers[name] = chosen;
  }
  return { answers };
}

async function askForm(question: LiveQuestion, parts: AskParts): Promise<LiveAnswer | undefined> {
  const { client, sessionId, signal } = parts;
  const properties = (question.fields ?? []).map(({ name, label, options, isMultiple }) => {
    const names = options.map((option) => option.label);
    if (isMultiple) {
      return [name, { type: 'array', title: label, items: { type: 'string', enum: names } }];
    }
    const choice = names.length > 0 ? { enum: names } : {};
    return [name, { type: 'string', title: label, ...choice }];
  });
  const request = {
    mode: 'form',
    sessionId,
    message: question.explanation ?? question.toolName,
    requestedSchema: { type: 'object', properties: Object.fromEntries(properties) },
  } as CreateElicitationRequest;
  const given = await client.request(methods.client.elicitation.create, request, {
    cancellationSignal: signal,
  });
  if (given.action !== 'accept' || !('content' in given)) return 'deny';
  const answers = Object.entries(given.content ?? {}).map(([name, value]) => [
    name,
    Array.isArray(value) ? value.join(', ') : String(value),
  ]);
  return { answers: Object.fromEntries(answers) as Record<string, string> };
}

async function choose(
  question: LiveQuestion,
  options: PermissionOption[],
  { client, sessionId, cwd, signal }: AskParts,
): Promise<string | undefined> {
  const { id, toolCallId = id, toolName, kind, input, explanation } = question;
  const call: ToolUseBlock = {
    type: 'tool_use',
    id,
    timestamp: '',
    toolName,
    toolUseId: toolCallId,
    input,
    status: 'pending',
  };
  const { title, ...shown } = showCall(call, { cwd });
  const body = bodyOf(question);
  const why: ToolCallContent[] =
    body === '' ? [] : [{ type: 'content', content: { type: 'text', text: body } }];
  const toolCall: ToolCallUpdate = {
    toolCallId,
    ...shown,
    title: kind === 'permission' ? title : (explanation ?? title),
    kind: kind === 'plan' ? 'switch_mode' : shown.kind,
    content: [...why, ...shown.content],
    status: 'pending',
    rawInput: input,
  };
  const { outcome } = await client.request(
    methods.client.session.requestPermission,
    { sessionId, toolCall, options },
    { cancellationSignal: signal },
  );
  return outcome.outcome === 'selected' ? outcome.optionId : undefined;
}

/** The text shown with a question: the plan to approve, or the reason for asking. */
function bodyOf({ kind, input, explanation }: LiveQuestion): string {
  if (kind === 'plan' && typeof input.plan === 'string') return input.plan;
  return explanation ?? '';
}

const OPTION_KINDS: Readonly<
  Record<LiveQuestion['choices'][number]['answer'], PermissionOption['kind']>
> = {
  allow: 'allow_once',
  'allow-session': 'allow_always',
  'allow-project': 'allow_always',
  deny: 'reject_once',
};
