import { asId, asRecord, asString, isRecord } from '../../json-record.ts';
import type { StreamEvent } from '../../stream-events.ts';
import type { StreamTranslator } from '../../stream-translator.ts';
import { assistantBlocks, failureBlock } from './part-blocks.ts';

/** Translates `opencode run --format json`, which reports each part once, when complete, under its own id. */
export function createOpencodeStreamTranslator(
  now: () => string = () => new Date().toISOString(),
): StreamTranslator {
  let errors = 0;
  return {
    translate(nativeEvent: unknown): StreamEvent[] {
      if (!isRecord(nativeEvent)) return [];
      const sessionId = asId(nativeEvent.sessionID);
      const part = asRecord(nativeEvent.part);
      if (nativeEvent.type === 'error') {
        const data = { error: nativeEvent.error, time: { created: Date.parse(now()) } };
        const block = failureBlock({ id: `live:main:${errors++}`, data });
        return block === undefined ? [] : [complete(block)];
      }
      if (nativeEvent.type === 'step_start' && sessionId !== undefined) {
        return [{ type: 'metadata_update', metadata: { sessionId }, conversationId: 'main' }];
      }
      const id = asId(part.id);
      if (id === undefined) return [];
      const message = { id: asString(part.messageID) ?? '', data: {} };
      return assistantBlocks(message, { id, data: part }).map(complete);
    },
    end: () => [],
  };
}

function complete(block: Extract<StreamEvent, { type: 'block_complete' }>['block']): StreamEvent {
  return { type: 'block_complete', blockId: block.id, block, conversationId: 'main' };
}
