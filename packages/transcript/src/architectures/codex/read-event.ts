import { asArray, asId, asRecord, asString, type JsonRecord } from '../../json-record.ts';
import { toAgentReport } from './agent-status.ts';
import { textOf, toEventContent, toUserContent } from './message-content.ts';
import type { RecordPlace } from './record-place.ts';
import { SILENT_EVENTS } from './rollout-line.ts';
import type { ThreadParts } from './thread-parts.ts';
import { isToolItem } from './tool-item.ts';
import { stringsOf, type TurnItem, toolEventItem, toTurnItem } from './turn-item.ts';

/** Reads an event, which the program writes for display. */
export function readEvent(parts: ThreadParts, event: JsonRecord, at: RecordPlace): void {
  const type = asString(event.type) ?? 'untyped';
  const read = EVENTS.get(type);
  const toolItem = read === undefined ? toolEventItem(event) : undefined;
  if (read !== undefined) read(parts, event, at);
  else if (toolItem !== undefined) readItem(parts, toolItem, at);
  else if (!SILENT_EVENTS.has(type)) parts.onSkipped(`event_msg/${type}`);
}

type Reader<Subject> = (parts: ThreadParts, subject: Subject, at: RecordPlace) => void;

const EVENTS: ReadonlyMap<string, Reader<JsonRecord>> = new Map<string, Reader<JsonRecord>>([
  ['user_message', readUserMessage],
  ['agent_message', readAgentMessage],
  ['agent_reasoning', readReasoning],
  ['item_completed', (parts, event, at) => readItem(parts, toTurnItem(asRecord(event.item)), at)],
  ['task_started', startTurn],
  ['turn_started', startTurn],
  ['task_complete', endTurn],
  ['turn_complete', endTurn],
  ['turn_aborted', abortTurn],
  ['token_count', (parts, event, at) => parts.facts.readTokenCount(event, at)],
  ['context_compacted', (parts, _event, at) => parts.notices.compactionShown(undefined, at)],
  ['error', (parts, event, at) => parts.notices.failed(parts.facts.turnId, event, at)],
  ['stream_error', readNotice],
  ['warning', readNotice],
  ['deprecation_notice', readNotice],
  ['undo_completed', readNotice],
  ['model_reroute', readNotice],
  ['entered_review_mode', (parts, fields, at) => enterReview(parts, { fields }, at)],
  ['exited_review_mode', (parts, fields, at) => exitReview(parts, { fields }, at)],
]);

/** Before 0.50 the event was also used for text by the program, marked by `kind`. */
function readUserMessage(parts: ThreadParts, event: JsonRecord, at: RecordPlace): void {
  if (event.kind !== undefined && event.kind !== 'plain') return;
  parts.users.confirm(undefined, toEventContent(event), at);
}

function readAgentMessage(parts: ThreadParts, event: JsonRecord, at: RecordPlace): void {
  const text = asString(event.message) ?? '';
  parts.messages.addMessage('event', { id: undefined, text, model: parts.facts.model }, at);
}

function readReasoning(parts: ThreadParts, event: JsonRecord, at: RecordPlace): void {
  const summary = [asString(event.text) ?? ''];
  parts.messages.addReasoning('event', { id: undefined, summary, raw: [] }, at);
}

function startTurn(parts: ThreadParts, event: JsonRecord): void {
  parts.facts.startTurn(asId(event.turn_id));
  parts.notices.startTurn();
}

function endTurn(parts: ThreadParts, event: JsonRecord, at: RecordPlace): void {
  const turnId = asId(event.turn_id);
  const hasFailed = typeof event.error === 'object' && event.error !== null;
  parts.notices.lastEnd = hasFailed ? 'failed' : 'completed';
  parts.notices.lastMessage = asString(event.last_agent_message) ?? parts.notices.lastMessage;
  if (hasFailed) parts.notices.failed(turnId, asRecord(event.error), at);
}

function abortTurn(parts: ThreadParts, event: JsonRecord, at: RecordPlace): void {
  parts.notices.lastEnd = 'aborted';
  parts.notices.aborted(asId(event.turn_id), asString(event.reason), at);
}

function readNotice(parts: ThreadParts, event: JsonRecord, at: RecordPlace): void {
  const message = asString(event.message) ?? asString(event.summary) ?? asString(event.type) ?? '';
  parts.notices.add({ subtype: 'status', message, metadata: { kind: event.type } }, at);
}

function readItem(parts: ThreadParts, item: TurnItem, at: RecordPlace): void {
  const read = ITEMS.get(item.kind);
  if (read !== undefined) {
    read(parts, item, at);
    return;
  }
  if (isToolItem(item)) parts.tools.item(item, at);
  else parts.onSkipped(`item/${item.kind}`);
}

const ITEMS: ReadonlyMap<string, Reader<TurnItem>> = new Map<string, Reader<TurnItem>>([
  ['user_message', showUserMessage],
  ['agent_message', showAgentMessage],
  ['reasoning', showReasoning],
  ['plan', showPlan],
  ['collab_agent_tool_call', showAgentCall],
  ['sub_agent_activity', ({ agents }, { id, fields }) => agents.readActivity(id ?? '', fields)],
  ['context_compaction', (parts, { id }, at) => parts.notices.compactionShown(id, at)],
  ['entered_review_mode', enterReview],
  ['exited_review_mode', exitReview],
  ['hook_prompt', showHook],
  ['error', (parts, { fields }, at) => parts.notices.failed(parts.facts.turnId, fields, at)],
]);

function showUserMessage(parts: ThreadParts, { id, fields }: TurnItem, at: RecordPlace): void {
  parts.users.confirm(id, toUserContent(fields.content), at);
}

function showAgentMessage(parts: ThreadParts, { id, fields }: TurnItem, at: RecordPlace): void {
  const text = textOf(fields.content);
  const phase = asString(fields.phase);
  const metadata = phase === undefined ? undefined : { phase };
  parts.messages.addMessage('event', { id, text, model: parts.facts.model, metadata }, at);
}

function showReasoning(parts: ThreadParts, { id, fields }: TurnItem, at: RecordPlace): void {
  const summary = stringsOf(fields.summary_text);
  parts.messages.addReasoning('event', { id, summary, raw: stringsOf(fields.raw_content) }, at);
}

/** A plan proposed by the model; no response item has the same id. */
function showPlan(parts: ThreadParts, { id, fields }: TurnItem, at: RecordPlace): void {
  const metadata = { plan: true };
  const text = asString(fields.text) ?? '';
  parts.messages.addMessage('event', { id, text, model: parts.facts.model, metadata }, at);
}

function showAgentCall(parts: ThreadParts, item: TurnItem): void {
  parts.agents.readReport(item.id ?? '', toAgentReport(item));
}

function showHook(parts: ThreadParts, { id, fields }: TurnItem, at: RecordPlace): void {
  const message = asArray(fields.fragments)
    .map((fragment) => asString(asRecord(fragment).text) ?? '')
    .join('\n');
  parts.notices.add({ id, subtype: 'hook_response', message }, at);
}

interface Review {
  readonly id?: string | undefined;
  readonly fields: JsonRecord;
}

function enterReview(parts: ThreadParts, { id, fields: about }: Review, at: RecordPlace): void {
  const hint = asString(about.user_facing_hint) ?? asString(about.review);
  const message = hint === undefined ? 'Review started' : `Review started: ${hint}`;
  parts.notices.add({ id, subtype: 'status', message, metadata: { review: 'started' } }, at);
}

function exitReview(parts: ThreadParts, { id, fields: about }: Review, at: RecordPlace): void {
  const output = asRecord(about.review_output);
  const text = asString(output.overall_explanation) ?? asString(about.review);
  const message = text === undefined ? 'Review finished' : `Review finished: ${text}`;
  const metadata = { review: 'finished', output: about.review_output ?? undefined };
  parts.notices.add({ id, subtype: 'status', message, metadata }, at);
}
