import { asArray, asId, asRecord, asString, compact, type JsonRecord } from '../../json-record.ts';
import { isSpawn } from './agent-status.ts';
import { isProgramText, plainText, textOf, toUserContent } from './message-content.ts';
import type { RecordPlace } from './record-place.ts';
import { SILENT_RESPONSE_ITEMS } from './rollout-line.ts';
import type { ThreadParts } from './thread-parts.ts';
import { toInput, toToolItem } from './tool-item.ts';
import { parseObject } from './tool-output.ts';
import { toTurnItem } from './turn-item.ts';

/** Reads an item of a model request or response, in the Responses API format. */
export function readResponseItem(parts: ThreadParts, item: JsonRecord, at: RecordPlace): void {
  const type = asString(item.type) ?? 'untyped';
  const read = READERS.get(type);
  if (read !== undefined) read(parts, item, at);
  else if (!SILENT_RESPONSE_ITEMS.has(type)) parts.onSkipped(`response_item/${type}`);
}

type Reader = (parts: ThreadParts, item: JsonRecord, at: RecordPlace) => void;

const READERS: ReadonlyMap<string, Reader> = new Map([
  ['message', readMessage],
  ['agent_message', readAgentMessage],
  ['reasoning', readReasoning],
  ['function_call', readFunctionCall],
  ['custom_tool_call', readFunctionCall],
  ['local_shell_call', readShellCall],
  ['tool_search_call', readFunctionCall],
  ['function_call_output', readOutput],
  ['custom_tool_call_output', readOutput],
  ['tool_search_output', readSearchOutput],
  ['web_search_call', readVendorCall],
  ['image_generation_call', readVendorCall],
]);

function readMessage(parts: ThreadParts, item: JsonRecord, at: RecordPlace): void {
  const id = asId(item.id);
  if (item.role === 'assistant') {
    const phase = asString(item.phase);
    const metadata = phase === undefined ? undefined : { phase };
    const text = textOf(item.content);
    parts.messages.addMessage('response', { id, text, model: parts.facts.model, metadata }, at);
    return;
  }
  if (item.role !== 'user') return;
  const content = toUserContent(item.content);
  const text = plainText(content);
  if (text.startsWith('<subagent_notification>')) parts.agents.readNotice(text);
  if (!isProgramText(text)) parts.users.offer(id, content, at);
}

/** A message between agents: a task is a user message in the recipient's thread, others are notices. */
function readAgentMessage(parts: ThreadParts, item: JsonRecord, at: RecordPlace): void {
  const author = asString(item.author);
  const recipient = asString(item.recipient);
  const id = asId(item.id);
  const text = asArray(item.content).map(agentText).join('');
  const metadata = compact({ author, recipient });
  if (isTask(text)) {
    const content = text.replace(TASK_HEADER, '');
    parts.users.confirm(id, content, at);
    return;
  }
  parts.notices.add({ id, subtype: 'status', message: text, metadata }, at);
}

/** Messages between agents may be encrypted; only the vendor can decrypt them. */
function agentText(part: unknown): string {
  const { text, encrypted_content } = asRecord(part);
  const encrypted = asString(encrypted_content) ?? '';
  return asString(text) ?? (ENCRYPTED.test(encrypted) ? '' : encrypted);
}

const ENCRYPTED = /^[\w+/=-]{40,}$/;

function isTask(text: string): boolean {
  return TASK_HEADER.test(text);
}

const TASK_HEADER = /^Message Type: NEW_TASK\n(?:[^\n]*\n)*?Payload:\n/;

function readReasoning(parts: ThreadParts, item: JsonRecord, at: RecordPlace): void {
  const summary = asArray(item.summary).map((part) => textOf([part]));
  const raw = asArray(item.content).map((part) => textOf([part]));
  parts.messages.addReasoning('response', { id: asId(item.id), summary, raw }, at);
}

function readFunctionCall(parts: ThreadParts, item: JsonRecord, at: RecordPlace): void {
  const id = asId(item.call_id) ?? asId(item.id) ?? at.ownId();
  const toolName = asString(item.name) ?? TOOL_NAMES.get(asString(item.type) ?? '') ?? '';
  const namespace = asString(item.namespace);
  const input = inputOf(item);
  if (isSpawn(toolName, namespace)) {
    parts.agents.start(id, input, at);
    return;
  }
  const metadata = namespace === undefined ? undefined : { namespace };
  parts.tools.call({ id, toolName, input, metadata }, at);
}

const TOOL_NAMES: ReadonlyMap<string, string> = new Map([
  ['tool_search_call', 'tool_search'],
  ['web_search_call', 'web_search'],
  ['image_generation_call', 'image_generation'],
]);

/** Arguments are a JSON string, which may be truncated or invalid, or free text for custom tools. */
function inputOf(item: JsonRecord): Readonly<Record<string, unknown>> {
  if (item.input !== undefined) {
    return typeof item.input === 'string' ? { input: item.input } : toInput(item.input);
  }
  const given = item.arguments;
  return typeof given === 'string' ? (parseObject(given) ?? { raw: given }) : toInput(given);
}

function readShellCall(parts: ThreadParts, item: JsonRecord, at: RecordPlace): void {
  const id = asId(item.call_id) ?? asId(item.id) ?? at.ownId();
  const { type, ...input } = asRecord(item.action);
  parts.tools.call({ id, toolName: 'local_shell', input }, at);
}

function readOutput(parts: ThreadParts, item: JsonRecord, at: RecordPlace): void {
  const id = asId(item.call_id);
  if (id === undefined) {
    parts.onSkipped(`response_item/${asString(item.type) ?? ''}/without-call`);
    return;
  }
  if (parts.agents.has(id)) {
    parts.agents.readResult(id, item.output);
    return;
  }
  parts.agents.readWaitResult(item.output);
  parts.tools.addResult(id, item.output, at);
}

function readSearchOutput(parts: ThreadParts, item: JsonRecord, at: RecordPlace): void {
  const id = asId(item.call_id);
  if (id === undefined) return;
  parts.tools.addResult(id, { content: item.tools ?? [], success: item.status !== 'failed' }, at);
}

/** A server-side tool: call and outcome in one item. */
function readVendorCall(parts: ThreadParts, item: JsonRecord, at: RecordPlace): void {
  const { id: given, kind, fields } = toTurnItem(item);
  const tool = toToolItem({ kind: kind.replace(/_call$/, ''), id: given, fields });
  if (tool === undefined) return;
  const id = given ?? at.ownId();
  const status = tool.status === 'running' ? 'pending' : tool.status;
  parts.tools.call({ id, toolName: tool.toolName, input: tool.input, status }, at);
}
