import { readMeta, type TranscriptSource } from '../architectures/read-transcript-file.ts';
import type { SubagentFile } from '../architectures/transcript-layout.ts';
import type { ConversationBlock } from '../blocks.ts';
import type { ParsedTranscript } from '../parsed-transcript.ts';
import type { SubagentReader, TranscriptReader } from '../transcript-parser.ts';
import { type FileChange, GrownLines, statOf } from './grown-lines.ts';
import { LastLines } from './last-lines.ts';
import { WholeLines } from './whole-lines.ts';

/** What a look at the files of a session has found. */
export interface LookResult {
  /** Whether the reading had to begin anew, because a file is not the one it was. */
  readonly isRestarted: boolean;
  readonly hasMainGrown: boolean;
  /** Subagents of which more is known, by the id of their file. */
  readonly grownAgents: readonly string[];
}

/** Reads the files of one session as they grow, by looking at them again and again. */
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

  /** The file in which the session is now. */
  get path(): string {
    return this.#path;
  }

  parse(): ParsedTranscript {
    return this.#reader.end();
  }

  /** The last blocks from the last lines; `undefined` when these do not suffice. */
  parseTail(): readonly ConversationBlock[] | undefined {
    return this.#source.parser.readTail?.(this.#lastLines.toArray(), TAIL_BLOCKS);
  }

  /** The blocks of one subagent's file, read by itself. */
  async parseAgent(id: string): Promise<readonly ConversationBlock[]> {
    return (await this.#agents.get(id)?.parseAlone()) ?? [];
  }

  async look(): Promise<LookResult> {
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

  async #restart(path = this.#path): Promise<LookResult> {
    this.#path = path;
    this.#reader = this.#source.parser.start();
    this.#lastLines = new LastLines();
    this.#main = this.#openMain();
    this.#agents = new Map();
    this.#folders.clear();
    await this.look();
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

  /** Folders are listed only when something appeared in them or went. */
  async #haveFoldersChanged(): Promise<boolean> {
    const { layout } = this.#source;
    const folders = (await layout.foldersToWatch?.(this.#path)) ?? [];
    let hasChanged = this.#folders.size === 0;
    for (const folder of ['.', ...folders]) {
      const found = folder === '.' ? undefined : await statOf(folder);
      // The clock of a file system ticks slowly: what changed just now may change again unnoticed.
      const isFresh = found !== undefined && Math.abs(Date.now() - found.mtimeMs) < FRESH_MS;
      const version = found === undefined ? '' : `${found.ino}/${found.mtimeMs}`;
      hasChanged ||= isFresh || this.#folders.get(folder) !== version;
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
  read(): Promise<FileChange>;
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

/** One subagent's file, and the file beside it. */
class AgentFile {
  metaPath: string | undefined;
  readonly #path: string;
  readonly #source: TranscriptSource;
  readonly #thread: () => SubagentReader;
  readonly #input: LineInput;
  #alone: TranscriptReader | undefined;
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
      this.#alone?.line(line, offset);
    });
  }

  async read(): Promise<FileChange> {
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

  /** The first time the whole file is read once more; from then on both readings grow together. */
  async parseAlone(): Promise<readonly ConversationBlock[]> {
    if (this.#alone === undefined) {
      const alone = this.#source.parser.start();
      const input = openLines(this.#source, this.#path, (line, offset) => alone.line(line, offset));
      await input.read();
      this.#alone = alone;
    }
    return this.#alone.end().blocks;
  }
}

const TAIL_BLOCKS = 20;
const FRESH_MS = 100;
