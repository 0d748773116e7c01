import type { EndedBy, PermissionMode, ToolParameters } from '@robota-sdk/agent-core';
import type { Entry } from '@robota-sdk/agent-core/log';
import type { ExecutionResult, SubmitOutcome } from '../interactive/execution-result.ts';
import type { PermissionAnswer } from '../interactive/permission-broker.ts';
import { announceEnd, announceStart } from '../interactive/turn-runner.ts';
import {
  AGENT_CONVERSATION,
  AGENT_EVENTS,
  AgentFacts,
  conversationOf,
  eventsOf,
  promptOf,
} from './agent-facts.ts';
import { factsFellow } from './agent-lines.ts';
import { BlocksView } from './blocks-view.ts';
import { FollowedLines } from './followed-lines.ts';
import type { LiveAnswer, LiveQuestion } from './live-question.ts';
import type { SharedView, SharedViewParts } from './shared-view.ts';

/** View of another agent's session in an archive, driven by some node. */
export class AgentView implements SharedView {
  /** Never changes after creation, so only the card has it. */
  readonly permissionMode: PermissionMode | undefined = undefined;
  readonly #parts: SharedViewParts;
  readonly #lines: FollowedLines;
  readonly #blocks = new BlocksView();
  readonly #facts = new AgentFacts();

  constructor(parts: SharedViewParts) {
    this.#parts = parts;
    this.#lines = new FollowedLines({
      ...parts,
      onEntry: (entry) => this.#handle(entry),
      onProblem: (message) => this.#notice('archive', message),
    });
  }

  get events() {
    return this.#blocks.events;
  }

  /** The agent's own id, once it reports one that differs from ours. */
  get nativeId(): string | undefined {
    const { agentSessionId, sessionId } = this.#blocks.conversation.metadata;
    const id = agentSessionId ?? sessionId;
    return typeof id === 'string' && id !== this.#parts.sessionId ? id : undefined;
  }

  get conversation() {
    return this.#blocks.conversation;
  }

  get sequence(): number {
    return this.#facts.n;
  }

  get isTurnOpen(): boolean {
    return this.#facts.turn !== undefined;
  }

  get text(): string {
    return this.#blocks.text;
  }

  get tools() {
    return this.#blocks.tools;
  }

  get context() {
    return this.#blocks.context;
  }

  get questions(): readonly LiveQuestion[] {
    return [...this.#facts.questions.values()];
  }

  get model(): string | undefined {
    return this.#blocks.model;
  }

  get name(): string | undefined {
    return this.#facts.name;
  }

  costs() {
    return this.#blocks.costs();
  }

  /** Commands the agent reports; the agent itself interprets a prompt that begins with one. */
  listCommands() {
    return this.#blocks.commands;
  }

  listTools(): [] {
    return [];
  }

  async open(): Promise<void> {
    const { archive, sessionId } = this.#parts;
    const source = await archive.open(sessionId, [factsFellow(this.#facts)]);
    if (!source) {
      const error = new Error(`Session not found: ${sessionId}`);
      throw Object.assign(error, { code: 'session_not_found' });
    }
    this.#facts.n = Math.max(this.#facts.n, source.saved?.end?.n ?? 0);
    this.#blocks.restore(this.#facts.conversation);
    this.#lines.begin(source);
  }

  refresh(): Promise<void> {
    return this.#lines.refresh();
  }

  close(): Promise<void> {
    return this.#lines.close();
  }

  #handle(entry: Entry): void {
    const messageId = this.#facts.turn?.messageId;
    this.#facts.apply(entry);
    const { events } = this.#blocks;
    switch (entry.event) {
      case AGENT_EVENTS:
        for (const event of eventsOf(entry)) this.#blocks.handle(event, entry.n);
        break;
      case AGENT_CONVERSATION:
        this.#blocks.replace(conversationOf(entry));
        break;
      case 'prompt':
        this.#blocks.beginTurn();
        announceStart(promptOf(entry), events);
        break;
      case 'turn_end':
        this.#end(entry, messageId);
        break;
      case 'permission_request':
        this.#asked(entry.question as LiveQuestion);
        break;
      case 'permission_resolved':
        this.#resolved(entry);
        break;
      case 'session_renamed':
        events.emit('state', { name: String(entry.name) });
        break;
      case 'notice':
        this.#notice(String(entry.kind), String(entry.message));
        break;
      default:
    }
  }

  #asked(question: LiveQuestion): void {
    const { events } = this.#blocks;
    const { id: requestId, kind, toolName, toolCallId, input } = question;
    if (kind === 'permission') {
      const toolArgs = input as ToolParameters;
      const call = toolCallId === undefined ? {} : { toolCallId };
      events.emit('permission_request', { requestId, toolName, toolArgs, ...call });
    }
    events.emit('question', question);
  }

  #resolved({ requestId, answer, by, how }: Entry): void {
    const { events } = this.#blocks;
    const id = String(requestId);
    const who = typeof by === 'string' ? { by } : {};
    events.emit('permission_resolved', {
      requestId: id,
      answer: answer as PermissionAnswer,
      ...who,
    });
    const settled = how === 'expired' ? 'expired' : 'answered';
    events.emit('question_resolved', { id, how: settled, answer: answer as LiveAnswer, ...who });
  }

  #end(entry: Entry, messageId: string | undefined): void {
    this.#blocks.endTurn();
    const outcome = this.#outcomeOf(entry);
    announceEnd(outcome, this.#blocks.events);
    this.#parts.onTurnEnd(outcome, messageId);
  }

  #outcomeOf({ status, endedBy, response, message, code }: Entry): SubmitOutcome {
    if (status === 'completed' || status === 'interrupted') {
      const result: ExecutionResult = {
        response: typeof response === 'string' ? response : this.text,
        history: [],
        toolSummaries: [],
        contextState: this.context,
        endedBy: (endedBy ?? (status === 'completed' ? 'answer' : 'abort')) as EndedBy,
      };
      return { status, result };
    }
    const error = Object.assign(new Error(String(message ?? 'The turn failed.')), { code });
    return { status: 'failed', error, endedBy: 'error' };
  }

  #notice(kind: string, message: string): void {
    this.#blocks.events.emit('notice', { kind, message });
  }
}
