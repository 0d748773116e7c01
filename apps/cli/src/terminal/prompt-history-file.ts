import { appendFile, mkdir, readFile } from 'node:fs/promises';
import { dirname } from 'node:path';

/** Prompts offered again; older ones stay in the file. */
const MOST_PROMPTS = 500;

/** Prompts of earlier sessions, one JSON string a line, readable by the user alone. */
export class PromptHistoryFile {
  readonly #path: string;

  constructor(path: string) {
    this.#path = path;
  }

  /** Oldest first. A missing file is an empty history; a damaged line is left out. */
  async load(): Promise<string[]> {
    const text = await readFile(this.#path, 'utf8').catch(() => '');
    return text.split('\n').slice(-MOST_PROMPTS).flatMap(parsePrompt);
  }

  async add(prompt: string): Promise<void> {
    await mkdir(dirname(this.#path), { recursive: true, mode: 0o700 });
    await appendFile(this.#path, `${JSON.stringify(prompt)}\n`, { mode: 0o600 });
  }
}

function parsePrompt(line: string): string[] {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'string' ? [value] : [];
  } catch {
    return [];
  }
}
