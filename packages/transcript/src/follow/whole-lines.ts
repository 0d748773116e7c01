import type { WholeTranscript } from '../architectures/transcript-layout.ts';
import type { FileChange } from './grown-lines.ts';

/** The lines of what is read whole; another version of it is another file. */
export class WholeLines {
  readonly #whole: WholeTranscript;
  readonly #onLine: (line: string, offset: number) => void;
  #version: string | undefined;

  constructor(whole: WholeTranscript, onLine: (line: string, offset: number) => void) {
    this.#whole = whole;
    this.#onLine = onLine;
  }

  async read(): Promise<FileChange> {
    const version = await this.#whole.version();
    if (version === undefined || version === this.#version) return 'none';
    if (this.#version !== undefined) return 'replaced';
    this.#version = version;
    for (const line of await this.#whole.readLines()) this.#onLine(line, 0);
    return 'grown';
  }
}
