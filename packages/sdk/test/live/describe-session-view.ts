import type { SessionView } from '@robota-sdk/agent-sdk';
import {
  applyStreamEvent,
  type ConversationBlock,
  type ConversationState,
} from '@robota-sdk/agent-transcript';
import { describe, expect, it } from 'vitest';

export interface ViewUnderTest {
  readonly view: SessionView;
  /** Lets something happen in the session that the view shows; resolves when it has been told. */
  happen(): Promise<void>;
}

/** What every `SessionView` promises. */
export function describeSessionView(name: string, open: () => Promise<ViewUnderTest>): void {
  describe(`the view of ${name}`, () => {
    it('says what it is and can before it is ready', async () => {
      const { view } = await open();

      expect(view.agent).toMatch(/^(?:acp:)?[a-z]+$/);
      expect(view.sessionId).not.toBe('');
      expect(Object.keys(view.getCapabilities()).sort()).toEqual(CAPABILITIES);
    });

    it('shows what its events fold to, under numbers that never fall', async () => {
      const { view, happen } = await open();
      await view.whenReady();
      let folded: ConversationState = view.getConversation();
      const numbers: number[] = [view.getLastSequence()];
      view.on('stream_event', (event, sequence) => {
        folded = applyStreamEvent(folded, event);
        numbers.push(sequence);
      });
      view.on('resync', (conversation) => {
        folded = conversation;
      });

      await happen();

      expect(numbers.length).toBeGreaterThan(1);
      expect(numbers).toEqual(numbers.toSorted((left, right) => left - right));
      expect(view.getLastSequence()).toBeGreaterThanOrEqual(numbers.at(-1) ?? 0);
      expect(folded.blocks.map(identify)).toEqual(view.getConversation().blocks.map(identify));
      expect(view.getMessageCount()).toBeGreaterThan(0);
    });

    it('keeps its epoch', async () => {
      const { view, happen } = await open();
      await view.whenReady();
      const epoch = view.getStreamEpoch();

      await happen();

      expect(view.getStreamEpoch()).toBe(epoch);
    });

    it('tells a listener nothing more once it was taken off', async () => {
      const { view, happen } = await open();
      await view.whenReady();
      const heard: unknown[] = [];
      const listener = (event: unknown) => heard.push(event);
      view.on('stream_event', listener);
      view.off('stream_event', listener);

      await happen();

      expect(heard).toEqual([]);
    });
  });
}

const CAPABILITIES = [
  'abort',
  'compact',
  'deltas',
  'fork',
  'images',
  'permissionModes',
  'prompt',
  'questions',
  'queue',
  'rename',
  'rewind',
  'setModel',
  'steer',
];

function identify({ type, id }: ConversationBlock): string {
  return `${type} ${id}`;
}
