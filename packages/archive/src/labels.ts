import { randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { WriterLock } from '@robota-sdk/agent-session';

/** The user's name, pin and archive flag for a session of any agent. */
export interface SessionLabel {
  readonly name?: string | undefined;
  readonly isPinned?: boolean | undefined;
  readonly isArchived?: boolean | undefined;
}

/** A session of any agent, by the agent's type. */
export interface LabelledSession {
  readonly type: string;
  readonly id: string;
}

/** Port: stores names, pins and archive flags of sessions of every agent. */
export interface SessionLabels {
  /** Changes only the given fields; an empty name removes the name. */
  set(session: LabelledSession, change: SessionLabel): Promise<void>;
}

/** A name made safe to display: one line without secrets and control characters. */
export async function shownName(name: string): Promise<string> {
  const { showLine } = await import('./reading/title.ts');
  return showLine(name, NAME_LENGTH);
}

/** Names, pins and archive flags in one small file, independent of the catalogue. */
export class LabelFile implements SessionLabels {
  readonly path: string;
  #stamp = '';
  #labels: ReadonlyMap<string, SessionLabel> = new Map();

  constructor(path: string) {
    this.path = path;
  }

  /** Changes whenever the labels may have changed. */
  stamp(): string {
    const found = statSync(this.path, { throwIfNoEntry: false });
    return found ? `${found.ino}/${found.size}/${found.mtimeMs}` : '';
  }

  get({ type, id }: LabelledSession): SessionLabel {
    return this.#read().get(`${type}:${id}`) ?? {};
  }

  /** All labels, each with its session. */
  all(): readonly (LabelledSession & SessionLabel)[] {
    return [...this.#read()].map(([key, label]) => {
      const colon = key.indexOf(':');
      return { type: key.slice(0, colon), id: key.slice(colon + 1), ...label };
    });
  }

  /** Changes only the given fields; an empty name removes the name. */
  async set({ type, id }: LabelledSession, change: SessionLabel): Promise<void> {
    mkdirSync(dirname(this.path), { recursive: true, mode: 0o700 });
    const lock = await this.#lock();
    try {
      this.#stamp = '';
      const labels = new Map(this.#read());
      const key = `${type}:${id}`;
      const named = change.name === undefined ? {} : { name: await shownName(change.name) };
      const label = withoutEmpty({ ...labels.get(key), ...change, ...named });
      if (Object.keys(label).length === 0) labels.delete(key);
      else labels.set(key, label);
      writeAtomically(this.path, labels);
    } finally {
      lock.release();
    }
  }

  #read(): ReadonlyMap<string, SessionLabel> {
    const stamp = this.stamp();
    if (stamp === this.#stamp && stamp !== '') return this.#labels;
    this.#labels = stamp === '' ? new Map() : readLabels(this.path);
    this.#stamp = stamp;
    return this.#labels;
  }

  async #lock(): Promise<WriterLock> {
    // Imported on the first change, because reading labels does not need it.
    const { acquireWriterLock } = await import('@robota-sdk/agent-session');
    for (let attempt = 1; ; attempt++) {
      try {
        return acquireWriterLock(`${this.path}.lock`, 'labels');
      } catch (error) {
        if (attempt === MAX_ATTEMPTS)
          throw new Error(`Cannot change ${this.path}`, { cause: error });
        await delay(WAIT_MS);
      }
    }
  }
}

const NAME_LENGTH = 200;
const MAX_ATTEMPTS = 100;
const WAIT_MS = 20;

function withoutEmpty(label: SessionLabel): SessionLabel {
  return {
    ...(label.name && { name: label.name }),
    ...(label.isPinned && { isPinned: true }),
    ...(label.isArchived && { isArchived: true }),
  };
}

function readLabels(path: string): ReadonlyMap<string, SessionLabel> {
  const text = readFileSync(path, 'utf8');
  let document: unknown;
  try {
    document = JSON.parse(text);
  } catch (error) {
    throw new Error(`Cannot read the labels in ${path}: it is not JSON. Mend or move the file.`, {
      cause: error,
    });
  }
  const { sessions } = (document ?? {}) as { readonly sessions?: Record<string, SessionLabel> };
  return new Map(Object.entries(sessions ?? {}));
}

function writeAtomically(path: string, labels: ReadonlyMap<string, SessionLabel>): void {
  const draft = `${path}.${randomBytes(6).toString('hex')}.tmp`;
  try {
    const document = { version: 1, sessions: Object.fromEntries(labels) };
    writeFileSync(draft, `${JSON.stringify(document, null, 2)}\n`, { mode: 0o600 });
    renameSync(draft, path);
  } catch (error) {
    rmSync(draft, { force: true });
    throw new Error(`Cannot write ${path}`, { cause: error });
  }
}
