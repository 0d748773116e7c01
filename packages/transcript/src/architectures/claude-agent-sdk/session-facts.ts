import { asNumber, asRecord, asString, compact, type JsonRecord } from '../../json-record.ts';
import type { SessionMetadata } from '../../session-metadata.ts';

/** Collects session metadata from the lines; later values win. */
export class SessionFacts {
  #facts: Readonly<Record<string, unknown>> = {};
  #givenTitle: string | undefined;
  #guessedTitle: string | undefined;

  read(line: JsonRecord): void {
    if (line.type === 'assistant') this.#readMessage(line, asRecord(line.message));
    if (this.#facts.sessionId === undefined) this.#readOrigin(line);
    switch (line.type) {
      case 'custom-title':
        this.#givenTitle = asString(line.customTitle) ?? this.#givenTitle;
        break;
      case 'ai-title':
        this.#guessedTitle = asString(line.aiTitle) ?? this.#guessedTitle;
        break;
      case 'summary':
        this.#guessedTitle = asString(line.summary) ?? this.#guessedTitle;
        break;
      case 'cost-state':
        this.#facts = { ...this.#facts, costUSD: asNumber(line.totalCostUSD) };
        break;
      default:
    }
  }

  metadata(): SessionMetadata {
    return compact({ ...this.#facts, title: this.#givenTitle ?? this.#guessedTitle });
  }

  #readMessage(line: JsonRecord, message: JsonRecord): void {
    const model = asString(message.model);
    if (model === undefined || model === '<synthetic>' || line.isSidechain === true) return;
    if (this.#facts.model !== model) this.#facts = { ...this.#facts, model };
  }

  #readOrigin(line: JsonRecord): void {
    const sessionId = asString(line.sessionId);
    if (sessionId === undefined || asString(line.cwd) === undefined) return;
    const { cwd, version, gitBranch } = line;
    this.#facts = compact({ ...this.#facts, sessionId, cwd, version, gitBranch });
  }
}
