import { appendFile, mkdir, open } from 'node:fs/promises';
import { dirname } from 'node:path';

/** Prompts loaded into the history; older ones stay in the file. */
const MAX_PROMPTS = 500;
/** Only the end of a longer file is read: prompts with pastes are long. */
const MAX_BYTES = 2 * 1024 * 1024;

/** Prompts of earlier sessions, one JSON string per line, readable only by the user. */
export class PromptHistoryFile {
  readonly #path: string;

  constructor(path: string) {
    this.#path = path;
  }

  /** Oldest first. A missing file is an empty history; damaged lines are skipped. */
  async load(): Promise<string[]> {
    const text = await endOfFile(this.#path).catch(() => '');
    return text.split('\n').slice(-MAX_PROMPTS).flatMap(parsePrompt);
  }

  async add(prompt: string): Promise<void> {
    await mkdir(dirname(this.#path), { recursive: true, mode: 0o700 });
    await appendFile(this.#path, `${JSON.stringify(prompt)}\n`, { mode: 0o600 });
  }
}

/** The beginning of a cut line is damaged and skipped. */
async function endOfFile(path: string): Promise<string> {
  const file = await open(path);
  try {
    const { size } = await file.stat();
    const start = Math.max(0, size - MAX_BYTES);
    const buffer = Buffer.alloc(size - start);
    const { bytesRead } = await file.read(buffer, 0, buffer.length, start);
    return buffer.toString('utf8', 0, bytesRead);
  } finally {
    await file.close();
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
