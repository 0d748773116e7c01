import type { MessageContent, UserMessageBlock } from '../../blocks.ts';
import type { BlockSequence } from './block-sequence.ts';
import { plainText } from './message-content.ts';
import type { RecordPlace } from './record-place.ts';

/**
 * Separates user messages from text the program wrote as the user. Since 0.33 an event confirms real
 * input; in files without such events every message that does not look like program text counts.
 */
export class UserMessages {
  readonly #blocks: BlockSequence;
  #unconfirmed: number[] = [];
  #isConfirming = false;

  constructor(blocks: BlockSequence) {
    this.#blocks = blocks;
  }

  /** Whether some messages are neither confirmed nor rejected. */
  get isOpen(): boolean {
    return !this.#isConfirming && this.#unconfirmed.length > 0;
  }

  /** A user message in a model request. */
  offer(id: string | undefined, content: MessageContent, at: RecordPlace): void {
    const block = userBlock(id ?? at.ownId(), content, at);
    this.#unconfirmed.push(this.#blocks.push(block, at.ordinal));
  }

  /** The event that confirms the message. */
  confirm(id: string | undefined, content: MessageContent, at: RecordPlace): void {
    this.#isConfirming = true;
    const place = this.#offeredPlace(content);
    this.#dropUnconfirmed(place);
    const offered = place === undefined ? undefined : this.#blocks.get(place);
    if (place === undefined || offered === undefined) {
      this.#blocks.push(userBlock(id ?? at.ownId(), content, at), at.ordinal);
      return;
    }
    this.#blocks.set(place, userBlock(id ?? offered.id, content, at));
  }

  /** Positions to remove if no more lines come: messages without a confirming event. */
  unconfirmed(): ReadonlySet<number> {
    return new Set(this.#isConfirming ? this.#unconfirmed : []);
  }

  #offeredPlace(content: MessageContent): number | undefined {
    const text = plainText(content);
    const equal = this.#unconfirmed.findLast((place) => {
      const block = this.#blocks.get(place);
      return block?.type === 'user_message' && plainText(block.content) === text;
    });
    const isText = typeof content === 'string';
    return equal ?? (isText ? undefined : this.#unconfirmed.at(-1));
  }

  #dropUnconfirmed(except: number | undefined): void {
    for (const place of this.#unconfirmed) {
      if (place !== except) this.#blocks.remove(place);
    }
    this.#unconfirmed = [];
  }
}

function userBlock(id: string, content: MessageContent, at: RecordPlace): UserMessageBlock {
  return { type: 'user_message', id, timestamp: at.timestamp, content };
}
