import { asString, isRecord } from '../../json-record.ts';
import type { StreamTranslator } from '../../stream-translator.ts';
import { BlocksFold } from './blocks-fold.ts';

/** Translates log entries and engine events; the latter have their kind in `type`. */
export function createRobotaStreamTranslator(
  now: () => string = () => new Date().toISOString(),
): StreamTranslator {
  const fold = new BlocksFold();
  let last = 0;
  return {
    translate(native) {
      if (!isRecord(native)) return [];
      const event = asString(native.event) ?? asString(native.type) ?? '';
      const given = typeof native.time === 'number' ? native.time : timeOf(native.timestamp, now);
      last = typeof native.n === 'number' ? native.n : last + 1;
      return [...fold.apply({ ...native, n: last, time: given, event })];
    },
    end: () => [...fold.end()],
  };
}

function timeOf(timestamp: unknown, now: () => string): number {
  const parsed = Date.parse(asString(timestamp) ?? now());
  return Number.isNaN(parsed) ? 0 : parsed;
}
