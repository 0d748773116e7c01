import { asRecord, asString, compact, type JsonRecord } from '../../json-record.ts';
import type { SessionMetadata, TokenUsage } from '../../session-metadata.ts';
import { sumUsage } from '../../token-usage.ts';
import type { GeminiMessage } from './gemini-message.ts';
import { partsOf } from './message-parts.ts';

/** Gathers what a chat file says about the session as a whole; what is said later counts. */
export class SessionFacts {
  readonly #facts: Facts = {};
  readonly #usage = new Map<string, TokenUsage>();
  #importedAt: string | undefined;

  /** A header, or the fields of a `$set`. The first start is the session's. */
  readFields(fields: JsonRecord): void {
    // Most records only say when the chat was last changed, so nothing is copied here.
    const facts = this.#facts;
    facts.sessionId = asString(fields.sessionId) ?? facts.sessionId;
    facts.projectHash = asString(fields.projectHash) ?? facts.projectHash;
    facts.startTime ??= asString(fields.startTime);
    facts.lastUpdated = asString(fields.lastUpdated) ?? facts.lastUpdated;
    facts.title = asString(fields.summary) ?? facts.title;
    if (Array.isArray(fields.directories)) facts.directories = fields.directories;
  }

  /** The workspace is named only in what the program tells the model about it. */
  readContext(record: JsonRecord): void {
    if (this.#facts.cwd !== undefined) return;
    const [first] = partsOf(record.content);
    const text = asString(first) ?? asString(asRecord(first).text);
    if (text?.startsWith('<session_context>') !== true) return;
    const cwd = /Workspace Director(?:ies|y):\*\*\s*\n\s*- (.+)/.exec(text)?.[1];
    if (cwd !== undefined) this.#facts.cwd = cwd;
  }

  readMessage(message: GeminiMessage): void {
    const { id, model, usage, timestamp } = message;
    if (id.startsWith('import-')) this.#importedAt = timestamp;
    if (model !== undefined) this.#facts.model = model;
    // An imported session brings messages whose tokens its original has counted.
    const isInherited = this.#importedAt !== undefined && timestamp < this.#importedAt;
    if (usage !== undefined && !isInherited) this.#usage.set(id, usage);
  }

  /** A subagent's tokens are the session's too. */
  addUsage(other: SessionFacts): void {
    for (const [id, usage] of other.#usage) this.#usage.set(id, usage);
  }

  metadata(): SessionMetadata {
    const facts = compact(this.#facts);
    if (this.#usage.size === 0) return facts;
    return {
      ...facts,
      usage: sumUsage(this.#usage.values()),
      usageByMessage: Object.fromEntries(this.#usage),
    };
  }
}

interface Facts {
  sessionId?: string | undefined;
  projectHash?: string | undefined;
  startTime?: string | undefined;
  lastUpdated?: string | undefined;
  title?: string | undefined;
  directories?: readonly unknown[];
  cwd?: string;
  model?: string;
}
