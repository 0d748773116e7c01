import { isRecord, type JsonRecord } from '../../json-record.ts';
import type { StreamEvent } from '../../stream-events.ts';
import type { StreamTranslator } from '../../stream-translator.ts';
import { AppServerTranslation } from './live-app-server.ts';
import { ExecTranslation } from './live-exec.ts';
import { LegacyTranslation } from './live-legacy.ts';

/** Translates the live output of Codex; the first event shows which of its three interfaces is used. */
export function createCodexStreamTranslator(
  now: () => string = () => new Date().toISOString(),
): StreamTranslator {
  return new CodexStreamTranslator(now);
}

class CodexStreamTranslator implements StreamTranslator {
  readonly #now: () => string;
  #translation: StreamTranslation | undefined;

  constructor(now: () => string) {
    this.#now = now;
  }

  translate(nativeEvent: unknown): StreamEvent[] {
    if (!isRecord(nativeEvent)) return [];
    this.#translation ??= this.#translationFor(nativeEvent);
    return this.#translation?.translate(nativeEvent) ?? [];
  }

  end(): StreamEvent[] {
    return this.#translation?.end() ?? [];
  }

  #translationFor(event: JsonRecord): StreamTranslation | undefined {
    if (event.method !== undefined || event.result !== undefined || event.jsonrpc !== undefined) {
      return new AppServerTranslation(this.#now);
    }
    if (typeof event.type === 'string') return new ExecTranslation(this.#now);
    const isLegacy = isRecord(event.msg) || 'prompt' in event || 'workdir' in event;
    return isLegacy ? new LegacyTranslation(this.#now) : undefined;
  }
}

interface StreamTranslation {
  translate(event: JsonRecord): StreamEvent[];
  end(): StreamEvent[];
}
