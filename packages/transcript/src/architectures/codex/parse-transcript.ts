import { asString, compact } from '../../json-record.ts';
import { forEachLine } from '../../line-splitter.ts';
import { parseLine } from '../../parse-line.ts';
import type { ParsedTranscript, RawTranscripts } from '../../parsed-transcript.ts';
import { readTranscripts } from '../../read-transcripts.ts';
import type { SessionMetadata, TokenUsage } from '../../session-metadata.ts';
import { SkipCounter } from '../../skip-counter.ts';
import { sumUsage } from '../../token-usage.ts';
import type { TranscriptParser, TranscriptReader } from '../../transcript-parser.ts';
import { linkThreads } from './link-threads.ts';
import { readTail } from './read-tail.ts';
import { historyBaseOf } from './rollout-origin.ts';
import { ThreadReading } from './thread-reading.ts';
import { type WholeThread, wholeThread } from './whole-thread.ts';

export interface CodexParserOptions {
  /** The text of the rollout with this id, for forks and reverts that refer to it. */
  resolveRollout?(rolloutId: string): string | undefined;
}

/** Reads what Codex writes, in all generations of its rollouts. */
export function createCodexTranscriptParser(options: CodexParserOptions = {}): TranscriptParser {
  return { start: () => new CodexTranscriptReader(options), readTail };
}

export const codexTranscriptParser: TranscriptParser = createCodexTranscriptParser();

/**
 * The blocks of a Codex rollout: the text of the main file, or of all files of the session. Other rollouts the
 * main one goes on from may stand among the subagents, under their rollout id, or come from `resolveRollout`.
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
  /** The other files of the session by the id they were given: agents, and history to go on from. */
  readonly #others = new Map<string, ThreadReading>();
  readonly #bases = new Set<ThreadReading>();

  constructor(options: CodexParserOptions) {
    this.#options = options;
  }

  line(text: string): void {
    this.#read(this.#main, text);
  }

  subagent(id: string): { line(text: string): void } {
    const bareId = id.startsWith('agent-') ? id.slice('agent-'.length) : id;
    const reading = this.#others.get(bareId) ?? this.#newReading();
    this.#others.set(bareId, reading);
    return { line: (text) => this.#read(reading, text) };
  }

  end(): ParsedTranscript {
    for (const reading of [this.#main, ...this.#others.values()]) reading.settle();
    this.#markBases();
    const main = this.#whole('', this.#main);
    const agents = this.#agentReadings(main.id);
    const threads = agents.map(([id, reading]) => this.#whole(id, reading));
    const { subagents, superseded } = linkThreads(main, threads);
    const missing = [main, ...threads].flatMap((thread) => thread.missing);
    for (const _ of missing) this.#skipped.kind('history_base/missing');
    return {
      blocks: main.blocks,
      subagents,
      superseded: [...main.superseded, ...superseded],
      skipped: this.#skipped.total(),
      metadata: this.#metadata(
        missing.map(({ rolloutId }) => rolloutId),
        agents.map(([, reading]) => reading),
      ),
    };
  }

  #read(reading: ThreadReading, text: string): void {
    const line = parseLine(text);
    if (line === 'unreadable') this.#skipped.line();
    else if (line !== 'blank') reading.add(line);
  }

  #newReading(): ThreadReading {
    return new ThreadReading((kind) => this.#skipped.kind(kind));
  }

  #whole(id: string, reading: ThreadReading): WholeThread {
    return wholeThread(id, reading, (rolloutId) => this.#findRollout(rolloutId));
  }

  /** Every file another one goes on from is history, not an agent. */
  #markBases(): void {
    for (const reading of [this.#main, ...this.#others.values()]) {
      const base = historyBaseOf(reading.parts.facts.meta);
      const earlier = base === undefined ? undefined : this.#findRollout(base.rolloutId);
      if (earlier !== undefined) this.#bases.add(earlier);
    }
  }

  #findRollout(rolloutId: string): ThreadReading | undefined {
    const known = this.#others.get(rolloutId);
    if (known !== undefined) return known;
    const text = this.#options.resolveRollout?.(rolloutId);
    if (text === undefined) return undefined;
    const reading = this.#newReading();
    forEachLine(text, (line) => this.#read(reading, line));
    reading.settle();
    this.#others.set(rolloutId, reading);
    this.#bases.add(reading);
    return reading;
  }

  #agentReadings(mainId: string): [string, ThreadReading][] {
    return [...this.#others].filter(([, reading]) => {
      if (reading.isEmpty || this.#bases.has(reading)) return false;
      const isOtherThread = asString(reading.parts.facts.meta.id) !== mainId || mainId === '';
      if (!isOtherThread) this.#skipped.kind('rollout/unreferenced');
      return isOtherThread;
    });
  }

  #metadata(missing: readonly string[], agents: readonly ThreadReading[]): SessionMetadata {
    const threadId = this.#main.parts.facts.meta.id;
    // What a revert took back was paid for in this session; what a fork took over was not.
    const reverted = [...this.#bases].filter(({ parts }) => parts.facts.meta.id === threadId);
    const all = [this.#main, ...reverted, ...agents].map(({ parts }) => parts.facts);
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
