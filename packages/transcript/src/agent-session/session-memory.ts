import { randomUUID } from 'node:crypto';
import type { AgentProfile } from '../agent-sandbox/agent-profile.ts';
import type { AgentSandbox, SandboxSetup } from '../agent-sandbox/agent-sandbox.ts';
import type { ConversationBlock } from '../blocks.ts';
import { applyStreamEvent } from '../fold/apply-stream-event.ts';
import type { ConversationState } from '../fold/conversation-state.ts';
import type { RawTranscripts } from '../parsed-transcript.ts';
import type { TranscriptPersistence } from '../persistence/transcript-persistence.ts';
import type {
  RuntimeSessionData,
  SessionListData,
  SessionStatus,
  WorkspaceFile,
} from '../session-data.ts';
import type { StreamEvent } from '../stream-events.ts';
import type { AgentBusEvents, AgentEventBus } from './agent-event-bus.ts';
import { agentSessionIdOf, type OpenedAgentSession, transcriptsOf } from './open-session.ts';
import type { AgentSessionContext } from './session-options.ts';
import { TranscriptSync } from './transcript-sync.ts';

interface MemoryParts {
  readonly sandbox: AgentSandbox;
  readonly persistence: TranscriptPersistence;
  readonly eventBus: AgentEventBus;
  readonly context: AgentSessionContext;
}

/** In-memory state of a session: its record, blocks, and the saved transcripts and files. */
export class SessionMemory {
  readonly persistence: TranscriptPersistence;
  /** Receives notices for the user that are not part of the conversation. */
  onNotice: ((event: StreamEvent) => void) | undefined;
  /** Called after every event. */
  onAccepted: (() => void) | undefined;
  readonly #parts: MemoryParts;
  readonly #opened: OpenedAgentSession;
  readonly #transcripts: TranscriptSync;
  readonly #files: Map<string, WorkspaceFile>;
  #record: SessionListData;
  #conversation: ConversationState;
  #syncing: Promise<void> = Promise.resolve();
  #isSyncDue = false;
  #hasReportedUnsaved = false;

  constructor(opened: OpenedAgentSession, parts: MemoryParts) {
    const { rawTranscript, subagents, workspaceFiles, ...record } = opened.saved;
    const saved = transcriptsOf(opened.saved);
    this.persistence = parts.persistence;
    this.#parts = parts;
    this.#opened = opened;
    this.#record = record;
    this.#files = new Map(workspaceFiles.map((file) => [file.path, file]));
    this.#transcripts = new TranscriptSync(record.sessionId, parts.persistence, saved);
    const visible = opened.origin ? transcriptsOf(opened.origin) : saved;
    this.#conversation = parts.sandbox.parseTranscripts(visible);
  }

  /** Reads what the program's home has beyond the saved data, because the session was continued there. */
  async catchUp(): Promise<void> {
    const { sandbox } = this.#parts;
    const before = this.#transcripts.transcripts;
    await this.#transcripts.run(sandbox, this.agentSessionId, 'everything');
    const now = this.#transcripts.transcripts;
    if (now.main === undefined || this.#isSame(before, now)) return;
    this.#conversation = sandbox.parseTranscripts(now);
  }

  #isSame(before: RawTranscripts, now: RawTranscripts): boolean {
    const lengths = ({ main, subagents = [] }: RawTranscripts) => [
      main?.length,
      ...subagents.map(({ id, transcript, meta }) => [id, transcript?.length, meta]),
    ];
    return JSON.stringify(lengths(before)) === JSON.stringify(lengths(now));
  }

  get sessionId(): string {
    return this.#record.sessionId;
  }

  get agentSessionId(): string {
    return agentSessionIdOf({ ...this.#record, workspaceFiles: [] });
  }

  /** The program's id of the session this one was forked from. */
  get originId(): string | undefined {
    const { origin } = this.#opened;
    return origin?.rawTranscript === undefined ? undefined : agentSessionIdOf(origin);
  }

  sandboxSetup(agentProfile: AgentProfile | undefined): SandboxSetup {
    return this.restoringSetup({ transcripts: new Map(), workspaceFiles: [], agentProfile });
  }

  /** The setup that restores everything saved so far. */
  restoringSetup({ agentProfile }: SandboxSetup): SandboxSetup {
    const transcripts = new Map<string, RawTranscripts>();
    const { origin } = this.#opened;
    if (origin !== undefined) transcripts.set(agentSessionIdOf(origin), transcriptsOf(origin));
    const own = this.#transcripts.transcripts;
    if (own.main !== undefined) transcripts.set(this.agentSessionId, own);
    return { transcripts, workspaceFiles: this.#workspaceFiles(), agentProfile };
  }

  state(): RuntimeSessionData {
    const { main, subagents = [] } = this.#transcripts.transcripts;
    const { blocks, subagents: threads, metadata } = this.#conversation;
    const raw = new Map(subagents.map((one) => [one.id, one]));
    return {
      ...this.#record,
      metadata: { ...this.#record.metadata, ...metadata },
      ...(main !== undefined && { rawTranscript: main }),
      subagents: threads.map(({ id, blocks: own }) => ({
        id,
        ...(raw.get(id)?.transcript !== undefined && { rawTranscript: raw.get(id)?.transcript }),
        blocks: own,
      })),
      workspaceFiles: this.#workspaceFiles(),
      blocks,
    } as RuntimeSessionData;
  }

  /** Replaces the conversation and emits a resync. */
  replace(conversation: ConversationState): void {
    this.#conversation = conversation;
    this.emit('resync', conversation);
    this.onAccepted?.();
  }

  get conversation(): ConversationState {
    return this.#conversation;
  }

  /** Only before the first event is emitted. */
  set conversation(conversation: ConversationState) {
    this.#conversation = conversation;
  }

  accept(event: StreamEvent): void {
    this.#conversation = applyStreamEvent(this.#conversation, event);
    if (event.type === 'metadata_update') this.#setAgentSessionId(event.metadata.sessionId);
    this.emit('stream_event', event);
    this.onAccepted?.();
  }

  /** The latest block of a call, in any thread. */
  findCall(toolUseId: string): ConversationBlock | undefined {
    const isCall = (block: ConversationBlock) =>
      (block.type === 'tool_use' || block.type === 'subagent') && block.toolUseId === toolUseId;
    const { blocks, subagents } = this.#conversation;
    const main = blocks.findLast(isCall);
    return main ?? subagents.flatMap((thread) => thread.blocks.findLast(isCall) ?? [])[0];
  }

  /** Saves complete lines in the background; requests that arrive meanwhile are combined into one. */
  syncSoon(): void {
    if (this.#isSyncDue) return;
    this.#isSyncDue = true;
    this.#enqueue(async () => {
      this.#isSyncDue = false;
      await this.#save('lines');
    }).catch((error: unknown) => this.#reportUnsaved(error));
  }

  sync(extent: 'lines' | 'everything'): Promise<void> {
    return this.#enqueue(() => this.#save(extent));
  }

  /** Ends a turn: everything is saved, or a notice says that it is not. */
  async finish(status: SessionStatus): Promise<void> {
    try {
      await this.sync('everything');
      await this.settle(status);
    } catch (error) {
      this.#reportUnsaved(error);
    }
  }

  async settle(status: SessionStatus): Promise<void> {
    const isChanged = status !== this.#record.status;
    const { metadata } = this.#record;
    this.#record = { ...this.#record, status, lastActivity: Date.now() };
    await this.persistence.updateSessionRecord(this.sessionId, {
      status,
      lastActivity: this.#record.lastActivity ?? 0,
      ...(metadata !== undefined && { metadata }),
    });
    if (isChanged) this.emit('session_status', status);
  }

  #setAgentSessionId(agentSessionId: unknown): void {
    if (typeof agentSessionId !== 'string' || agentSessionId === this.agentSessionId) return;
    this.#record = {
      ...this.#record,
      metadata: { ...this.#record.metadata, agentSessionId },
    };
  }

  async #save(extent: 'lines' | 'everything'): Promise<void> {
    const { sandbox } = this.#parts;
    if (!(await sandbox.isThere())) return;
    await this.#transcripts.run(sandbox, this.agentSessionId, extent);
    // Checking all workspace files is slow, so it is done once, at the end of a turn.
    if (extent === 'lines') return;
    for (const change of await sandbox.checkWorkspace()) {
      if (change.kind === 'deleted') {
        this.#files.delete(change.path);
        await this.persistence.deleteWorkspaceFile(this.sessionId, change.path);
      } else {
        this.#files.set(change.file.path, change.file);
        await this.persistence.saveWorkspaceFile(this.sessionId, change.file);
      }
      this.emit('workspace_change', change);
    }
  }

  #enqueue(work: () => Promise<void>): Promise<void> {
    const result = this.#syncing.then(work);
    this.#syncing = result.catch(() => undefined);
    return result;
  }

  /** Shown once, in the conversation: otherwise an unsaved session looks like any other. */
  #reportUnsaved(error: unknown): void {
    const reason = error instanceof Error ? error.message : String(error);
    if (this.#hasReportedUnsaved) return;
    this.#hasReportedUnsaved = true;
    const block = {
      type: 'system',
      id: `live:main:${randomUUID()}`,
      timestamp: new Date().toISOString(),
      subtype: 'error',
      message: `This session is not being saved: ${reason}`,
    } as const;
    this.onNotice?.({ type: 'block_complete', blockId: block.id, block, conversationId: 'main' });
    this.report(error);
  }

  emit<Name extends keyof AgentBusEvents>(name: Name, payload: AgentBusEvents[Name]): void {
    try {
      this.#parts.eventBus.emit(name, payload, { sessionId: this.sessionId });
    } catch (error) {
      // A listener that throws must not end the turn.
      this.report(error);
    }
  }

  /** Reports to the caller that opened the session, not to the conversation. */
  report(error: unknown): void {
    const report =
      this.#parts.context.onError ?? ((problem: Error) => process.emitWarning(problem));
    report(error instanceof Error ? error : new Error(String(error)));
  }

  #workspaceFiles() {
    return [...this.#files.values()];
  }
}
