import { asId, compact, type JsonRecord } from '../../json-record.ts';
import { forEachLine } from '../../line-splitter.ts';
import { mergeRequests } from '../../model-request.ts';
import { parseLine } from '../../parse-line.ts';
import type { ParsedTranscript, RawTranscripts } from '../../parsed-transcript.ts';
import { readTranscripts } from '../../read-transcripts.ts';
import type { SessionMetadata, TokenUsage } from '../../session-metadata.ts';
import { SkipCounter } from '../../skip-counter.ts';
import { sumUsage } from '../../token-usage.ts';
import type {
  SubagentReader,
  TranscriptParser,
  TranscriptReader,
} from '../../transcript-parser.ts';
import { type CompleteThread, completeThread } from './complete-thread.ts';
import { linkThreads } from './link-threads.ts';
import { readTail } from './read-tail.ts';
import { historyBaseOf } from './rollout-origin.ts';
import { ThreadReading } from './thread-reading.ts';

/** Options of the Codex parser. */
export interface CodexParserOptions {
  /** The text of the rollout with this id, for forks and reverts that refer to it. */
  resolveRollout?(rolloutId: string): string | undefined;
}

/** Reads Codex rollouts of all format versions. */
export function createCodexTranscriptParser(options: CodexParserOptions = {}): TranscriptParser {
  return { start: () => new CodexTranscriptReader(options), readTail };
}

export const codexTranscriptParser: TranscriptParser = createCodexTranscriptParser();

/**
 * Parses a Codex rollout: the text of the main file, or of all files of the session. Rollouts that the
 * main one continues may be passed among the subagents, under their rollout id, or come from `resolveRollout`.
 */
export function parseCodexTranscriptFile(
  raw: string | RawTranscripts,
  options: CodexParserOptions = {},
): ParsedTranscript {
  const parser = createCodexTranscriptParser(options);
  return readTranscripts(parser, typeof raw === 'string' ? { main: raw } : raw);
}

class CodexTranscriptReader implements TranscriptReader {
  readonly #options: CodexParserOptions;
  readonly #skipped = new SkipCounter();
  readonly #main = this.#newReading();
  /** Other files of the session by id: agents, and history to continue from. */
  readonly #others = new Map<string, ThreadReading>();

  readonly #lastLines = new Map<ThreadReading, string>();

  constructor(options: CodexParserOptions) {
    this.#options = options;
  }

  line(text: string, offset?: number): void {
    this.#read(this.#main, text, offset);
  }

  subagent(id: string): SubagentReader {
    const bareId = id.replace(/^agent-/, '') || `agent:${this.#others.size}`;
    const reading = this.#others.get(bareId) ?? this.#newReading();
    this.#others.set(bareId, reading);
    return { line: (text, offset) => this.#read(reading, text, offset) };
  }

  end(): ParsedTranscript {
    const bases = this.#findBases();
    const main = this.#complete('main', this.#main);
    const others = [...this.#others].filter(
      ([, reading]) => !reading.isEmpty && !bases.has(reading),
    );
    const isOther = ([, reading]: [string, ThreadReading]) =>
      main.id === 'main' || asId(reading.parts.facts.meta.id) !== main.id;
    const agents = others.filter(isOther);
    const threads = agents.map(([id, reading]) => this.#complete(id, reading));
    const { subagents, superseded } = linkThreads(main, threads);
    const missing = [main, ...threads].flatMap((thread) => thread.missing);
    const paid = this.#paidReadings(bases, agents);
    return {
      blocks: main.blocks,
      subagents,
      superseded: [...main.superseded, ...superseded],
      skipped: this.#skipped.total([
        ...missing.map(() => 'history_base/missing'),
        ...others.filter((one) => !isOther(one)).map(() => 'rollout/unreferenced'),
      ]),
      metadata: this.#metadata(
        missing.map(({ rolloutId }) => rolloutId),
        paid.map(([, reading]) => reading),
      ),
      offsets: main.offsets,
      requests: mergeRequests(paid.map(([thread, { parts }]) => parts.facts.requests(thread))),
    };
  }

  #read(reading: ThreadReading, text: string, offset?: number): void {
    const line = parseLine(text);
    if (line === 'unreadable') this.#skipped.line();
    else if (line !== 'blank' && !this.#isRepeated(reading, text, line)) reading.add(line, offset);
  }

  /** A line with a time that equals the line before it was written twice; without a time it can be another one. */
  #isRepeated(reading: ThreadReading, text: string, { timestamp }: JsonRecord): boolean {
    const before = this.#lastLines.get(reading);
    this.#lastLines.set(reading, text);
    return before === text && timestamp !== undefined;
  }

  #newReading(): ThreadReading {
    return new ThreadReading((kind) => this.#skipped.kind(kind));
  }

  #complete(id: string, reading: ThreadReading): CompleteThread {
    return completeThread(id, reading, (rolloutId) => this.#findRollout(rolloutId));
  }

  /** A file that another one continues is history, not an agent. */
  #findBases(): ReadonlySet<ThreadReading> {
    const bases = new Set<ThreadReading>();
    // Grows during iteration, since a base may continue another rollout.
    const readings = new Set([this.#main, ...this.#others.values()]);
    for (const reading of readings) {
      const base = historyBaseOf(reading.parts.facts.meta);
      const earlier = base === undefined ? undefined : this.#findRollout(base.rolloutId);
      if (earlier === undefined) continue;
      bases.add(earlier);
      readings.add(earlier);
    }
    return bases;
  }

  #findRollout(rolloutId: string): ThreadReading | undefined {
    const known = this.#others.get(rolloutId);
    if (known !== undefined) return known;
    const text = this.#options.resolveRollout?.(rolloutId);
    if (text === undefined) return undefined;
    const reading = this.#newReading();
    forEachLine(text, (line, offset) => this.#read(reading, line, offset));
    this.#others.set(rolloutId, reading);
    return reading;
  }

  /** Reverted requests were paid for in this session; those copied by a fork were not. */
  #paidReadings(
    bases: ReadonlySet<ThreadReading>,
    agents: readonly (readonly [string, ThreadReading])[],
  ): readonly (readonly [string, ThreadReading])[] {
    const threadId = this.#main.parts.facts.meta.id;
    const reverted = [...bases].filter(({ parts }) => parts.facts.meta.id === threadId);
    const named = agents.map(
      ([id, reading]) => [asId(reading.parts.facts.meta.id) ?? id, reading] as const,
    );
    return [...[this.#main, ...reverted].map((reading) => ['main', reading] as const), ...named];
  }

  #metadata(missing: readonly string[], paid: readonly ThreadReading[]): SessionMetadata {
    const all = paid.map(({ parts }) => parts.facts);
    const usages = all.map((facts) => facts.usage()).filter((usage) => usage !== undefined);
    const byMessage = all.map((facts) => facts.metadata().usageByMessage);
    const merged = Object.assign({}, ...byMessage) as Readonly<Record<string, TokenUsage>>;
    return compact({
      ...this.#main.parts.facts.metadata(),
      usage: usages.length === 0 ? undefined : sumUsage(usages),
      usageByMessage: Object.keys(merged).length === 0 ? undefined : merged,
      missingHistory: missing.length === 0 ? undefined : missing,
    });
  }
}
