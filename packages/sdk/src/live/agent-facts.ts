import type { Entry } from '@robota-sdk/agent-core/log';
import type { ConversationState, StreamEvent } from '@robota-sdk/agent-transcript';
import { applyStreamEvent, EMPTY_CONVERSATION } from '@robota-sdk/agent-transcript/blocks';
import type { LiveQuestion } from './live-question.ts';
import type { StartedPrompt } from './live-session-events.ts';

/** Entry kinds: stream events of the conversation, and a conversation that replaces all before it. */
export const AGENT_EVENTS = 'agent_events';
export const AGENT_CONVERSATION = 'agent_conversation';

/** Checkpoint of the facts, as plain data. */
interface SavedFacts {
  readonly conversation: ConversationState;
  readonly name?: string | undefined;
}

/** State of another agent's session, folded from its lines in the archive. */
export class AgentFacts {
  conversation: ConversationState = EMPTY_CONVERSATION;
  name: string | undefined;
  /** The prompt of the running turn. */
  turn: StartedPrompt | undefined;
  /** Open questions. */
  readonly questions = new Map<string, LiveQuestion>();
  /** The number of the last entry. */
  n = 0;

  /** Restores what `save` returned at the end of a turn; false for anything else. */
  restore(saved: unknown): boolean {
    const { conversation, name } = (saved ?? {}) as Partial<SavedFacts>;
    if (!Array.isArray(conversation?.blocks)) return false;
    this.conversation = conversation;
    this.name = name;
    return true;
  }

  save(): SavedFacts {
    const { conversation, name } = this;
    return { conversation, ...(name !== undefined && { name }) };
  }

  apply(entry: Entry): void {
    this.n = Math.max(this.n, entry.n);
    switch (entry.event) {
      case AGENT_EVENTS:
        this.conversation = eventsOf(entry).reduce(applyStreamEvent, this.conversation);
        break;
      case AGENT_CONVERSATION:
        this.conversation = conversationOf(entry);
        break;
      case 'prompt':
        this.turn = promptOf(entry);
        break;
      case 'turn_end':
        this.turn = undefined;
        break;
      case 'permission_request':
        this.questions.set(String(entry.requestId), entry.question as LiveQuestion);
        break;
      case 'permission_resolved':
        this.questions.delete(String(entry.requestId));
        break;
      case 'session_renamed':
        this.name = String(entry.name);
        break;
      default:
    }
  }
}

export function eventsOf({ events }: Entry): readonly StreamEvent[] {
  return (events ?? []) as readonly StreamEvent[];
}

export function conversationOf({ conversation }: Entry): ConversationState {
  return conversation as ConversationState;
}

export function promptOf({ display, user, messageId }: Entry): StartedPrompt {
  return {
    content: String(display ?? ''),
    user: typeof user === 'string' ? user : undefined,
    messageId: typeof messageId === 'string' ? messageId : undefined,
  };
}
