import type { ParsedTranscript } from '@robota-sdk/agent-transcript';

type Check = (value: unknown) => boolean;
type Shape = Readonly<Record<string, Check>>;

const text: Check = (value) => typeof value === 'string';
const id: Check = (value) => typeof value === 'string' && value !== '';
const flag: Check = (value) => typeof value === 'boolean';
const number: Check = (value) => typeof value === 'number' && Number.isFinite(value);
const record: Check = (value) =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const any: Check = () => true;
const oneOf =
  (...values: string[]): Check =>
  (value) =>
    values.includes(value as string);
const optional =
  (check: Check): Check =>
  (value) =>
    value === undefined || check(value);

const status = oneOf('pending', 'running', 'success', 'error');
const source = shape({
  type: oneOf('base64', 'url', 'text'),
  data: text,
  mediaType: optional(text),
});
const part: Check = (value) =>
  shape({ type: oneOf('text'), text })(value) ||
  shape({ type: oneOf('image'), source })(value) ||
  shape({ type: oneOf('document'), source, title: optional(text) })(value);
const content: Check = (value) => text(value) || (Array.isArray(value) && value.every(part));

const ORIGIN: Shape = { type: text, id, timestamp: text, metadata: optional(record) };
const BLOCKS: Readonly<Record<string, Shape>> = {
  user_message: { content },
  assistant_text: { content: text, model: optional(text) },
  tool_use: {
    toolName: text,
    toolUseId: id,
    input: record,
    status,
    displayName: optional(text),
    description: optional(text),
  },
  tool_result: {
    toolUseId: id,
    output: any,
    isError: flag,
    durationMs: optional(number),
    renderOutputAsMarkdown: optional(flag),
  },
  thinking: { content: text, summary: optional(text) },
  system: {
    subtype: oneOf(
      'session_start',
      'session_end',
      'error',
      'status',
      'hook_response',
      'auth_status',
    ),
    message: text,
  },
  subagent: {
    subagentId: id,
    name: optional(text),
    input: text,
    status,
    output: optional(text),
    durationMs: optional(number),
    toolUseId: optional(id),
  },
};

const USAGE = shape({
  inputTokens: number,
  outputTokens: number,
  cacheReadTokens: optional(number),
  cacheWriteTokens: optional(number),
  cacheWrite1hTokens: optional(number),
  thinkingTokens: optional(number),
  totalTokens: number,
});

/** A check of the named fields, which rejects fields it does not know. */
function shape(fields: Shape): Check {
  return (value) =>
    record(value) && problemsOf(value as Record<string, unknown>, fields).length === 0;
}

function problemsOf(value: Readonly<Record<string, unknown>>, fields: Shape): string[] {
  const wrong = Object.entries(fields).filter(([name, check]) => !check(value[name]));
  const unknown = Object.keys(value).filter((name) => !(name in fields));
  return [...wrong.map(([name]) => name), ...unknown.map((name) => `+${name}`)];
}

/** What a reading promises and does not keep: types of fields, unique ids, links between blocks. */
export function brokenPromises(parsed: ParsedTranscript): string[] {
  const threads = [
    { name: 'main', blocks: parsed.blocks, offsets: parsed.offsets },
    ...parsed.subagents.map(({ id: name, blocks, offsets }) => ({ name, blocks, offsets })),
  ];
  const names = threads.map(({ name }) => name);
  const metadata = parsed.metadata;
  return [
    ...threads.flatMap(({ name, blocks, offsets }) => [
      ...blocks.flatMap((block) => wrongFields(name, block)),
      ...repeated(blocks.map((block) => block.id)).map((each) => `${name}: id ${each} twice`),
      ...repeated(
        blocks.flatMap((block) => (block.type === 'tool_use' ? [block.toolUseId] : [])),
      ).map((each) => `${name}: call ${each} twice`),
      ...(offsets === undefined || offsets.length === blocks.length
        ? []
        : [`${name}: ${offsets.length} offsets of ${blocks.length} blocks`]),
      ...wrongLinks(name, blocks),
    ]),
    ...parsed.superseded.flatMap(({ blocks }) =>
      blocks.flatMap((block) => wrongFields('superseded', block)),
    ),
    ...parsed.superseded.flatMap(({ afterBlockId, conversationId }) =>
      afterBlockId === null ||
      threads.some(
        ({ name, blocks }) =>
          name === (conversationId ?? 'main') && blocks.some((block) => block.id === afterBlockId),
      )
        ? []
        : [`superseded after ${afterBlockId}, which is not there`],
    ),
    ...repeated(names).map((name) => `thread ${name} twice`),
    ...repeated((parsed.requests ?? []).map((request) => request.id)).map(
      (each) => `request ${each} twice`,
    ),
    ...(parsed.requests ?? []).flatMap((request) =>
      USAGE(request.usage) &&
      id(request.id) &&
      text(request.at) &&
      number(request.promptTokens) &&
      optional(text)(request.model) &&
      optional(number)(request.costUSD)
        ? []
        : [`request ${JSON.stringify(request)}`],
    ),
    ...(optional(USAGE)(metadata.usage) ? [] : [`usage ${JSON.stringify(metadata.usage)}`]),
    ...(optional(text)(metadata.model) ? [] : ['metadata.model']),
    ...(optional(number)(metadata.costUSD) ? [] : ['metadata.costUSD']),
    ...['sessionId', 'cwd', 'title'].flatMap((name) =>
      optional(text)(metadata[name]) ? [] : [`metadata.${name}`],
    ),
  ];
}

function wrongFields(thread: string, block: ParsedTranscript['blocks'][number]): string[] {
  const fields = BLOCKS[block.type];
  if (fields === undefined) return [`${thread}: block of type ${String(block.type)}`];
  const problems = problemsOf({ ...block }, { ...ORIGIN, ...fields });
  return problems.map((name) => `${thread}: ${block.type}.${name}`);
}

/** A call with a result has ended, and a result has its call before it. */
function wrongLinks(thread: string, blocks: ParsedTranscript['blocks']): string[] {
  const statuses = new Map<string, string>();
  const answered = new Set<string>();
  const wrong: string[] = [];
  for (const block of blocks) {
    if (block.type === 'tool_use') statuses.set(block.toolUseId, block.status);
    if (block.type === 'tool_result') answered.add(block.toolUseId);
  }
  for (const [call, how] of statuses) {
    const isOpen = how === 'pending' || how === 'running';
    if (answered.has(call) && isOpen) wrong.push(`${thread}: ${call} is ${how} with a result`);
  }
  return wrong;
}

function repeated(values: readonly string[]): string[] {
  const seen = new Set<string>();
  return values.filter((value) => seen.size === seen.add(value).size);
}
