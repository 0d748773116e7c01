import type { OpenedArchive } from '@robota-sdk/agent-archive';
import {
  contextWindowState,
  type EndedBy,
  getModelLimits,
  type PermissionMode,
} from '@robota-sdk/agent-core';
import {
  type Entry,
  emptySessionState,
  SessionFold,
  summarizeTool,
} from '@robota-sdk/agent-core/log';
import { entryOf, type FellowFold } from '@robota-sdk/agent-session';
import { BlocksFold } from '@robota-sdk/agent-transcript/blocks';
import { createSystemCommands } from '../commands/system-commands.ts';
import { EntryEvents, requestOf } from '../interactive/entry-events.ts';
import { EventHub } from '../interactive/event-hub.ts';
import type { SubmitOutcome } from '../interactive/execution-result.ts';
import { priceTallies } from '../interactive/model-cost.ts';
import { announceEnd, announceStart } from '../interactive/turn-runner.ts';
import { openSession } from '../records/open-session.ts';
import { questionOf } from './engine-question.ts';
import { FollowedLines } from './followed-lines.ts';
import type { LiveQuestion } from './live-question.ts';
import type { SharedView, SharedViewParts } from './shared-view.ts';

/** View of our own engine's session in an archive: the folds of its lines and the events they produce. */
export class ArchiveView implements SharedView {
  readonly events = new EventHub();
  readonly nativeId = undefined;
  readonly #parts: SharedViewParts;
  readonly #lines: FollowedLines;
  readonly #entryEvents: EntryEvents;
  readonly #questions = new Map<string, LiveQuestion>();
  #fold: SessionFold;
  #blocks = new BlocksFold();
  #openedAt = 0;
  /** Message id of the running turn's prompt. */
  #messageId: string | undefined;

  constructor(parts: SharedViewParts) {
    this.#parts = parts;
    this.#lines = new FollowedLines({
      ...parts,
      onEntry: (entry) => this.#handle(entry),
      onProblem: (message) => this.#entryEvents.notice('archive', message),
    });
    this.#fold = new SessionFold({ ...emptySessionState(), sessionId: parts.sessionId });
    this.#entryEvents = new EntryEvents({
      events: this.events,
      folds: () => ({ fold: this.#fold, blocks: this.#blocks }),
    });
  }

  get conversation() {
    return this.#blocks.state;
  }

  get sequence(): number {
    return Math.max(this.#entryEvents.sequence, this.#openedAt);
  }

  get text(): string {
    return this.#entryEvents.turn?.text ?? '';
  }

  get tools() {
    return this.isTurnOpen ? [...(this.#entryEvents.turn?.tools ?? [])] : [];
  }

  get model(): string | undefined {
    return this.#fold.state.model;
  }

  get permissionMode(): PermissionMode {
    return (this.#fold.state.permissionMode ?? 'default') as PermissionMode;
  }

  get name(): string | undefined {
    return this.#fold.state.name;
  }

  costs() {
    return priceTallies(Object.values(this.#fold.state.usage));
  }

  listCommands() {
    return createSystemCommands().map(({ name, description }) => ({ name, description }));
  }

  listTools(): string[] {
    const schemas = (this.#fold.state.toolSchemas ?? []) as readonly { readonly name?: unknown }[];
    return schemas.flatMap(({ name }) => (typeof name === 'string' ? [name] : []));
  }

  get isTurnOpen(): boolean {
    return this.#fold.state.turn !== null;
  }

  get context() {
    const { context, model } = this.#fold.state;
    return context ?? contextWindowState(0, getModelLimits(model ?? '').contextWindow);
  }

  /** Open questions. */
  get questions(): readonly LiveQuestion[] {
    return this.#fold.state.questions.map(
      ({ requestId, toolName }) =>
        this.#questions.get(requestId) ?? questionOf({ requestId, toolName, toolArgs: {} }),
    );
  }

  async open(): Promise<void> {
    const { archive, sessionId } = this.#parts;
    let source: OpenedArchive | undefined;
    const store = {
      open: async (id: string, fellows: readonly FellowFold[] = []) => {
        source = await archive.open(id, [...fellows, this.#questionsFellow()]);
        return source?.saved;
      },
    };
    try {
      const place = { store: store as never, logDirectory: undefined };
      const { fold, blocks } = await openSession(sessionId, place);
      this.#fold = fold;
      this.#blocks = blocks;
      this.#openedAt = fold.state.n;
    } catch (error) {
      // A session without prompts has no lines yet, only its position.
      if (!source) throw error;
    }
    if (source) this.#lines.begin(source);
  }

  refresh(): Promise<void> {
    return this.#lines.refresh();
  }

  close(): Promise<void> {
    return this.#lines.close();
  }

  #questionsFellow(): FellowFold {
    return {
      name: 'questions',
      restore: () => true,
      apply: (entry) => this.#trackQuestion(entryOf(entry)),
    };
  }

  #handle(entry: Entry): void {
    if (entry.event === 'prompt') this.#begin(entry);
    this.#trackQuestion(entry);
    this.#fold.apply(entry);
    this.#entryEvents.hear(entry);
    if (entry.event === 'turn_end') this.#end(entry);
  }

  #begin({ display, user, messageId }: Entry): void {
    this.#messageId = typeof messageId === 'string' ? messageId : undefined;
    const prompt = {
      content: String(display),
      user: typeof user === 'string' ? user : undefined,
      messageId: this.#messageId,
    };
    announceStart(prompt, this.events);
  }

  #end(entry: Entry): void {
    const outcome = this.#outcomeOf(entry);
    const messageId = this.#messageId;
    this.#messageId = undefined;
    announceEnd(outcome, this.events);
    this.#parts.onTurnEnd(outcome, messageId);
  }

  #trackQuestion(entry: Entry): void {
    if (entry.event === 'permission_request') {
      const question = questionOf(requestOf(entry), entry.thread);
      this.#questions.set(question.id, question);
    }
    if (entry.event === 'permission_resolved') this.#questions.delete(String(entry.requestId));
  }

  #outcomeOf({ status, endedBy, response, message, code }: Entry): SubmitOutcome {
    const how = (endedBy ?? 'error') as EndedBy;
    if (status === 'completed' || status === 'interrupted') {
      const { turn } = this.#entryEvents;
      const usage = turn && this.#fold.turnUsage(turn);
      const result = {
        response: typeof response === 'string' ? response : (turn?.text ?? ''),
        history: [...this.#fold.state.timeline],
        toolSummaries: (turn?.finished ?? []).map(summarizeTool),
        contextState: this.context,
        ...(usage && { usage }),
        endedBy: how,
      };
      return { status, result };
    }
    const error = Object.assign(new Error(String(message ?? 'The turn failed.')), { code });
    return { status: 'failed', error, endedBy: how };
  }
}
