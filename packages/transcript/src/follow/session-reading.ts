import { readMeta, type TranscriptSource } from '../architectures/read-transcript-file.ts';
import type { SubagentFile, WholeTranscript } from '../architectures/transcript-layout.ts';
import type { ConversationBlock } from '../blocks.ts';
import type { ParsedTranscript } from '../parsed-transcript.ts';
import type { SubagentReader, TranscriptReader } from '../transcript-parser.ts';
import { type FileGrowth, GrownLines, statOf } from './grown-lines.ts';
import { LastLines } from './last-lines.ts';

/** Result of reading the files of a session again. */
export interface ReadResult {
  /** Whether everything was read again, because a file was replaced. */
  readonly isRestarted: boolean;
  readonly hasMainGrown: boolean;
  /** Subagents whose files have grown, by file id. */
  readonly grownAgents: readonly string[];
}

/** Reads the files of one session as they grow. */
export class SessionReading {
  readonly #source: TranscriptSource;
  #path: string;
  #reader: TranscriptReader;
  #main: LineInput;
  #agents = new Map<string, AgentFile>();
  #lastLines = new LastLines();
  readonly #folders = new Map<string, string>();

  constructor(source: TranscriptSource, path: string) {
    this.#source = source;
    this.#path = path;
    this.#reader = source.parser.start();
    this.#main = this.#openMain();
  }

  /** The file that currently contains the session. */
  get path(): string {
    return this.#path;
  }

  parse(): ParsedTranscript {
    return this.#reader.end();
  }

  /** The last blocks from the last lines; `undefined` if those are not enough. */
  parseTail(): readonly ConversationBlock[] | undefined {
    return this.#source.parser.readTail?.(this.#lastLines.toArray(), TAIL_BLOCKS);
  }

  /** The blocks of one subagent's file, parsed standalone. */
  async parseAgent(id: string): Promise<readonly ConversationBlock[]> {
    return (await this.#agents.get(id)?.parseStandalone()) ?? [];
  }

  async read(): Promise<ReadResult> {
    const main = await this.#main.read();
    if (main === 'replaced') return this.#restart();
    const grownAgents: string[] = [];
    if (await this.#haveFoldersChanged()) {
      const current = (await this.#source.layout.findCurrentFile?.(this.#path)) ?? this.#path;
      if (current !== this.#path) return this.#restart(current);
      await this.#findAgents();
    }
    for (const [id, agent] of this.#agents) {
      const change = await agent.read();
      if (change === 'replaced') return this.#restart();
      if (change === 'grown') grownAgents.push(id);
    }
    return { isRestarted: false, hasMainGrown: main === 'grown', grownAgents };
  }

  async #restart(path = this.#path): Promise<ReadResult> {
    this.#path = path;
    this.#reader = this.#source.parser.start();
    this.#lastLines = new LastLines();
    this.#main = this.#openMain();
    this.#agents = new Map();
    this.#folders.clear();
    await this.read();
    return { isRestarted: true, hasMainGrown: true, grownAgents: [] };
  }

  async #findAgents(): Promise<void> {
    const { layout } = this.#source;
    for (const file of await layout.findSubagentFiles(this.#path)) {
      const known = this.#agents.get(file.id);
      if (known !== undefined) known.metaPath = file.metaPath ?? known.metaPath;
      else this.#agents.set(file.id, new AgentFile(file, this.#source, this.#reader));
    }
  }

  /** Folders are listed only when their entries may have changed. */
  async #haveFoldersChanged(): Promise<boolean> {
    const { layout } = this.#source;
    const folders = (await layout.foldersToWatch?.(this.#path)) ?? [];
    let hasChanged = this.#folders.size === 0;
    for (const folder of ['.', ...folders]) {
      const found = folder === '.' ? undefined : await statOf(folder);
      // File system timestamps are coarse: a recent change may hide a later one.
      const isRecent = found !== undefined && Math.abs(Date.now() - found.mtimeMs) < RECENT_MS;
      const version = found === undefined ? '' : `${found.ino}/${found.mtimeMs}`;
      hasChanged ||= isRecent || this.#folders.get(folder) !== version;
      this.#folders.set(folder, version);
    }
    return hasChanged;
  }

  #openMain(): LineInput {
    const onLine = (line: string, offset: number) => {
      this.#lastLines.push(line);
      this.#reader.line(line, offset);
    };
    return openLines(this.#source, this.#path, onLine);
  }
}

interface LineInput {
  read(): Promise<FileGrowth>;
}

type OnLine = (line: string, offset: number) => void;

function openLines({ layout }: TranscriptSource, path: string, onLine: OnLine): LineInput {
  const whole = layout.openWhole?.(path);
  if (whole !== undefined) return new WholeLines(whole, onLine);
  if (layout.restoreLine === undefined) return new GrownLines(path, onLine);
  return new GrownLines(path, (line, offset) =>
    onLine(layout.restoreLine?.(path, line) ?? line, offset),
  );
}

/** Reads a transcript that is not append-only: a new version counts as a replaced file. */
class WholeLines implements LineInput {
  readonly #whole: WholeTranscript;
  readonly #onLine: OnLine;
  #version: string | undefined;

  constructor(whole: WholeTranscript, onLine: OnLine) {
    this.#whole = whole;
    this.#onLine = onLine;
  }

  async read(): Promise<FileGrowth> {
    const version = await this.#whole.version();
    if (version === undefined || version === this.#version) return 'none';
    if (this.#version !== undefined) return 'replaced';
    this.#version = version;
    for (const line of await this.#whole.readLines()) this.#onLine(line, 0);
    return 'grown';
  }
}

/** One subagent's file and its metadata file. */
class AgentFile {
  metaPath: string | undefined;
  readonly #path: string;
  readonly #source: TranscriptSource;
  readonly #thread: () => SubagentReader;
  readonly #input: LineInput;
  #standalone: TranscriptReader | undefined;
  #opened: SubagentReader | undefined;
  #meta: string | undefined;
  #metaVersion: string | undefined;

  constructor(file: SubagentFile, source: TranscriptSource, reader: TranscriptReader) {
    this.metaPath = file.metaPath;
    this.#path = file.path;
    this.#source = source;
    this.#thread = () => reader.subagent(file.id, this.#meta);
    this.#input = openLines(source, file.path, (line, offset) => {
      this.#opened ??= this.#thread();
      this.#opened.line(line, offset);
      this.#standalone?.line(line, offset);
    });
  }

  async read(): Promise<FileGrowth> {
    const meta = await this.#readNewMeta();
    const isLate = meta !== undefined && this.#opened !== undefined;
    if (isLate && this.#opened?.meta === undefined) return 'replaced';
    if (isLate) this.#opened?.meta?.(meta);
    const change = await this.#input.read();
    return change === 'none' && isLate ? 'grown' : change;
  }

  async #readNewMeta(): Promise<string | undefined> {
    const found = this.metaPath === undefined ? undefined : await statOf(this.metaPath);
    const version = found && `${found.ino}/${found.size}/${found.mtimeMs}`;
    if (version === undefined || version === this.#metaVersion) return undefined;
    this.#metaVersion = version;
    const meta = await readMeta(this.metaPath);
    const isNew = meta !== undefined && meta !== this.#meta;
    if (isNew) this.#meta = meta;
    return isNew ? meta : undefined;
  }

  /** The first call reads the whole file again; from then on both readings are kept up to date. */
  async parseStandalone(): Promise<readonly ConversationBlock[]> {
    if (this.#standalone === undefined) {
      const standalone = this.#source.parser.start();
      const input = openLines(this.#source, this.#path, (line, offset) =>
        standalone.line(line, offset),
      );
      await input.read();
      this.#standalone = standalone;
    }
    return this.#standalone.end().blocks;
  }
}

const TAIL_BLOCKS = 20;
const RECENT_MS = 100;
