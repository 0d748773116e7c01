import { asRecord, asString, compact, type JsonRecord } from '../../json-record.ts';
import type { ModelRequest } from '../../model-request.ts';
import type { SessionMetadata } from '../../session-metadata.ts';
import { sumUsage } from '../../token-usage.ts';
import type { GeminiMessage } from './gemini-message.ts';
import { partsOf } from './message-parts.ts';

/** Collects session metadata from a chat file; later values win. */
export class SessionFacts {
  readonly #facts: Facts = {};
  readonly #requests = new Map<string, FoundRequest>();
  #importedAt: string | undefined;

  /** A header, or the fields of a `$set`. The first start time is kept. */
  readFields(fields: JsonRecord): void {
    // Updated in place, because most records only change `lastUpdated`.
    const facts = this.#facts;
    facts.sessionId = asString(fields.sessionId) ?? facts.sessionId;
    facts.projectHash = asString(fields.projectHash) ?? facts.projectHash;
    facts.startTime ??= asString(fields.startTime);
    facts.lastUpdated = asString(fields.lastUpdated) ?? facts.lastUpdated;
    facts.title = asString(fields.summary) ?? facts.title;
    if (Array.isArray(fields.directories)) facts.directories = fields.directories;
  }

  /** The workspace appears only in the context message for the model. */
  readContext(record: JsonRecord): void {
    if (this.#facts.cwd !== undefined) return;
    const [first] = partsOf(record.content);
    const text = asString(first) ?? asString(asRecord(first).text);
    if (text?.startsWith('<session_context>') !== true) return;
    const cwd = /Workspace Director(?:ies|y):\*\*[^\S\n]*\n\s*- (.+)/.exec(text)?.[1];
    if (cwd !== undefined) this.#facts.cwd = cwd;
  }

  readMessage(message: GeminiMessage): void {
    const { id, model, usage, timestamp } = message;
    if (id.startsWith('import-')) this.#importedAt = timestamp;
    if (model !== undefined) this.#facts.model = model;
    // Tokens of imported messages were counted in the original session.
    const isInherited = this.#importedAt !== undefined && timestamp < this.#importedAt;
    if (usage === undefined) return;
    this.#requests.set(id, { id, at: timestamp, model, usage, isCopy: isInherited });
  }

  requests(thread: string): ModelRequest[] {
    const cause = thread === 'main' ? 'turn' : 'subagent';
    return Array.from(this.#requests.values(), ({ id, at, model, usage, isCopy }): ModelRequest => {
      const promptTokens = usage.inputTokens;
      const request = { id, at, model, usage, cause, thread, promptTokens } as const;
      return isCopy ? { ...request, isCopy } : request;
    });
  }

  /** `requests` include those of subagents. */
  metadata(requests: readonly ModelRequest[]): SessionMetadata {
    const facts = compact(this.#facts);
    const paid = requests.filter(({ isCopy }) => isCopy !== true);
    if (paid.length === 0) return facts;
    return {
      ...facts,
      usage: sumUsage(paid.map(({ usage }) => usage)),
      usageByMessage: Object.fromEntries(paid.map(({ id, usage }) => [id, usage])),
    };
  }
}

interface FoundRequest extends Pick<ModelRequest, 'id' | 'at' | 'model' | 'usage'> {
  readonly isCopy: boolean;
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
