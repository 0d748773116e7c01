import type { SubagentBlock, SystemBlock, ToolUseBlock } from '../../blocks.ts';
import { asId, asRecord, asString, isRecord, type JsonRecord } from '../../json-record.ts';
import type { StreamEvent } from '../../stream-events.ts';
import type { StreamTranslator } from '../../stream-translator.ts';
import { assistantPieces } from './assistant-pieces.ts';
import type { ClaudeRecord, Piece } from './claude-record.ts';
import { textOf } from './content.ts';
import { type ConversationKey, LiveConversations, MAIN } from './live-conversations.ts';
import { initMetadata, resultMetadata } from './live-metadata.ts';
import { LiveTasks, taskReportOf } from './live-tasks.ts';
import { answeredSubagent, reportedSubagent } from './subagent-block.ts';
import { liveRetry, retryPiece, systemPieces } from './system-pieces.ts';
import { taskReportPiece, userPieces } from './user-pieces.ts';

/** Translates the `stream-json` output of Claude Code; `now` supplies timestamps it leaves out. */
export function createClaudeStreamTranslator(
  now: () => string = () => new Date().toISOString(),
): StreamTranslator {
  return new ClaudeStreamTranslator(now);
}

class ClaudeStreamTranslator implements StreamTranslator {
  readonly #now: () => string;
  readonly #live: LiveConversations;
  readonly #tasks = new LiveTasks();
  /** Block ids of each main message, by the uuid a compaction refers to. */
  readonly #blockIds = new Map<string, readonly string[]>();
  #unnamed = 0;
  /** A compaction whose summary has not arrived yet. */
  #compaction: SystemBlock | undefined;

  constructor(now: () => string) {
    this.#now = now;
    this.#live = new LiveConversations(now);
  }

  translate(nativeEvent: unknown): StreamEvent[] {
    if (!isRecord(nativeEvent)) return [];
    switch (nativeEvent.type) {
      case 'stream_event':
        return this.#streamed(nativeEvent);
      case 'assistant':
      case 'user':
        return this.#message(nativeEvent, nativeEvent.type);
      case 'system':
        return this.#system(nativeEvent);
      case 'control_request':
        return this.#permission(asString(nativeEvent.request_id), asRecord(nativeEvent.request));
      case 'tool_progress':
        return this.#setStatus(asString(nativeEvent.tool_use_id), { status: 'running' });
      case 'conversation_reset':
        return this.#reset(nativeEvent);
      case 'result':
        return [this.#metadata(resultMetadata(nativeEvent))];
      default:
        return [];
    }
  }

  end(): StreamEvent[] {
    const texts = this.#live.threads().flatMap((thread) => thread.completeOpen());
    const open = [...this.#live.calls.values()].filter((call) => !call.isAnswered);
    const calls = open.map(({ key, block }) =>
      this.#live.update(key, block.id, { status: 'pending' }),
    );
    return [...texts, ...calls];
  }

  #streamed(event: JsonRecord): StreamEvent[] {
    const key = asId(event.parent_tool_use_id) ?? MAIN;
    const events = this.#live.thread(key).translate(asRecord(event.event), event);
    for (const started of events) {
      if (started.type !== 'block_start') continue;
      this.#live.addMainBlock(key, started.block.id);
      this.#remember(key, started.block);
    }
    return events;
  }

  #message(event: JsonRecord, type: 'assistant' | 'user'): StreamEvent[] {
    const key = asId(event.parent_tool_use_id) ?? MAIN;
    const record = this.#recordOf(event);
    const summary = type === 'user' ? this.#compactionSummary(record) : undefined;
    if (summary !== undefined) return summary;
    const agentId = asId(event.agent_id);
    const named = agentId === undefined ? [] : this.#live.nameAgent(key, agentId);
    const pieces = this.#piecesOf(record, key, type);
    if (pieces.length === 0) return named;
    if (key === MAIN) this.#blockIds.set(record.uuid, pieces.flatMap(blockIdOf));
    const name = asString(event.subagent_type);
    const opened = this.#live.openThread(key, name, record.timestamp);
    return [...named, ...opened, ...pieces.flatMap((piece) => this.#place(key, piece))];
  }

  #piecesOf(record: ClaudeRecord, key: ConversationKey, type: 'assistant' | 'user'): Piece[] {
    if (type === 'user') return userPieces(record, ignore);
    const { ordinals } = this.#live.thread(key);
    return assistantPieces(record, { ordinals, onSkipped: ignore });
  }

  #place(key: ConversationKey, piece: Piece): StreamEvent[] {
    switch (piece.kind) {
      case 'block':
        return this.#placeBlock(key, piece.block);
      case 'tool_result':
        return this.#answer(key, piece);
      case 'task_report':
        return [this.#live.completeOnce(key, piece.block)];
      case 'compaction':
        return this.#compact(piece);
      case 'compaction_summary':
        return [];
    }
  }

  #placeBlock(
    key: ConversationKey,
    block: Extract<Piece, { kind: 'block' }>['block'],
  ): StreamEvent[] {
    if (block.type !== 'tool_use' && block.type !== 'subagent') {
      this.#live.thread(key).close(block.id);
      return [this.#live.complete(key, block)];
    }
    const thread = this.#live.thread(key);
    const wasAnnounced = thread.isOpen(block.id);
    thread.close(block.id);
    this.#remember(key, block);
    if (!wasAnnounced) {
      const started = this.#live.start(key, block);
      return [started, this.#live.update(key, block.id, { status: 'running' })];
    }
    const { id, type, ...fields } = block;
    return [this.#live.update(key, id, { ...fields, status: 'running' })];
  }

  #remember(key: ConversationKey, block: { readonly type: string }): void {
    if (block.type !== 'tool_use' && block.type !== 'subagent') return;
    const call = block as ToolUseBlock | SubagentBlock;
    if (call.toolUseId === undefined) return;
    this.#live.calls.set(call.toolUseId, { key, block: call, isAnswered: false });
  }

  #answer(key: ConversationKey, piece: Extract<Piece, { kind: 'tool_result' }>): StreamEvent[] {
    const result = piece.block;
    const call = this.#live.calls.get(result.toolUseId);
    if (call?.block.type === 'subagent') {
      const agent = answeredSubagent(call.block, result, piece.structured);
      return this.#live.settleAgent(call, agent, result.timestamp);
    }
    const answered = this.#live.completeOnce(key, result);
    if (call === undefined) return [answered];
    const status = result.isError ? 'error' : 'success';
    const block = { ...call.block, status } as const;
    this.#live.calls.set(result.toolUseId, { ...call, block, isAnswered: true });
    return [this.#live.complete(call.key, block), answered];
  }

  #system(event: JsonRecord): StreamEvent[] {
    switch (event.subtype) {
      case 'init':
        return [this.#metadata(initMetadata(event))];
      case 'status':
        return [this.#metadata({ activity: asString(event.status) ?? null })];
      case 'api_retry':
        return this.#place(MAIN, retryPiece(liveRetry(event), this.#timeOf(event)));
      case 'task_started':
      case 'task_updated':
      case 'task_notification':
        return this.#task(event);
      default:
        return this.#notice(event);
    }
  }

  #notice(event: JsonRecord): StreamEvent[] {
    const pieces = systemPieces(this.#recordOf(event), ignore);
    return pieces.flatMap((piece) => this.#place(MAIN, piece));
  }

  #compact({ block, kept }: Extract<Piece, { kind: 'compaction' }>): StreamEvent[] {
    const keptBlockIds = kept.uuids.flatMap((uuid) => this.#blockIds.get(uuid) ?? []);
    const compaction = { ...asRecord(block.metadata?.compaction), keptBlockIds };
    this.#compaction = keptBlockIds.length === 0 ? block : { ...block, metadata: { compaction } };
    return [this.#live.complete(MAIN, this.#compaction)];
  }

  /** The summary of a compaction arrives as the next user message; only newer versions mark it. */
  #compactionSummary({ source, message }: ClaudeRecord): StreamEvent[] | undefined {
    const block = this.#compaction;
    this.#compaction = undefined;
    if (block === undefined || source.isReplay === true) return undefined;
    if (source.isSynthetic !== true && typeof message.content !== 'string') return undefined;
    const summary = textOf(message.content);
    const compaction = { ...asRecord(block.metadata?.compaction), summary };
    return [this.#live.update(MAIN, block.id, { metadata: { ...block.metadata, compaction } })];
  }

  #task(event: JsonRecord): StreamEvent[] {
    this.#tasks.read(event);
    const toolUseId = asString(event.tool_use_id) ?? '';
    const taskId = asId(event.task_id);
    const named = taskId === undefined ? [] : this.#live.nameAgent(toolUseId, taskId);
    const report = taskReportOf(event);
    if (report === undefined || !this.#tasks.isInBackground(report.taskId)) return named;
    const timestamp = this.#timeOf(event);
    const call = this.#live.calls.get(toolUseId);
    const agent =
      call?.block.type === 'subagent'
        ? this.#live.settleAgent(call, reportedSubagent(call.block, report), timestamp)
        : [];
    return [...named, ...this.#place(MAIN, taskReportPiece(report, timestamp)), ...agent];
  }

  /** A call that waits for permission is pending until its result arrives. */
  #permission(requestId: string | undefined, request: JsonRecord): StreamEvent[] {
    if (request.subtype !== 'can_use_tool') return [];
    const metadata =
      requestId === undefined ? {} : { metadata: { permissionRequestId: requestId } };
    return this.#setStatus(asString(request.tool_use_id), { status: 'pending', ...metadata });
  }

  #setStatus(
    toolUseId: string | undefined,
    updates: { readonly status: 'pending' | 'running'; readonly metadata?: JsonRecord },
  ): StreamEvent[] {
    const call = this.#live.calls.get(toolUseId ?? '');
    if (call === undefined || call.isAnswered) return [];
    return [this.#live.update(call.key, call.block.id, updates)];
  }

  /** `/clear`: the blocks so far belong to the previous session; the program continues under another id. */
  #reset(event: JsonRecord): StreamEvent[] {
    const ids = [...this.#live.mainBlockIds].reverse();
    this.#live.mainBlockIds = new Set();
    const sessionId = asString(event.new_conversation_id) ?? asString(event.session_id);
    const superseded = ids.map((id) => this.#live.update(MAIN, id, { superseded: 'reset' }));
    return sessionId === undefined ? superseded : [...superseded, this.#metadata({ sessionId })];
  }

  #metadata(metadata: JsonRecord): StreamEvent {
    return { type: 'metadata_update', metadata, conversationId: MAIN };
  }

  #recordOf(source: JsonRecord): ClaudeRecord {
    const uuid = asId(source.uuid) ?? `live:${MAIN}:${this.#unnamed++}`;
    return { uuid, timestamp: this.#timeOf(source), source, message: asRecord(source.message) };
  }

  #timeOf(event: JsonRecord): string {
    return asString(event.timestamp) ?? this.#now();
  }
}

function blockIdOf(piece: Piece): string[] {
  if (piece.kind === 'block' || piece.kind === 'tool_result') return [piece.block.id];
  return [];
}

/** Unknown kinds in the stream are also in the transcript, and are counted there. */
function ignore(): void {}
