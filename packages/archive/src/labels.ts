import { randomBytes } from 'node:crypto';
import {
  mkdirSync,
  readdirSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { WriterLock } from '@robota-sdk/agent-session';
import { type LabelDocument, readLabelDocument, type UnusableLabels } from './label-document.ts';

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

/**
 * Names, pins and archive flags in one small file, independent of the catalogue. A damaged file has no labels and is
 * never overwritten: the next change keeps it beside the new one.
 */
export class LabelFile implements SessionLabels {
  readonly path: string;
  #stamp = '';
  #document: LabelDocument | UnusableLabels = readLabelDocument('');

  constructor(path: string) {
    this.path = path;
  }

  /** Changes whenever the labels may have changed. */
  stamp(): string {
    try {
      const found = statSync(this.path, { throwIfNoEntry: false });
      return found ? `${found.ino}/${found.size}/${found.mtimeMs}` : '';
    } catch (error) {
      return String(error);
    }
  }

  /** Why the labels in the file are not used, as a sentence; undefined when they are. */
  problem(): string | undefined {
    const document = this.#read();
    return 'problem' in document ? `${this.path} ${document.problem}` : undefined;
  }

  /** Damaged files that earlier changes kept beside the labels. */
  damagedCopies(): readonly string[] {
    const folder = dirname(this.path);
    const start = `${basename(this.path)}${DAMAGED}`;
    return namesIn(folder)
      .filter((name) => name.startsWith(start))
      .sort()
      .map((name) => join(folder, name));
  }

  get({ type, id }: LabelledSession): SessionLabel {
    return this.#labels().get(`${type}:${id}`) ?? {};
  }

  /** All labels, each with its session. */
  all(): readonly (LabelledSession & SessionLabel)[] {
    return [...this.#labels()].map(([key, label]) => {
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
      const { fields, sessions } = this.#usable();
      const key = `${type}:${id}`;
      const named = change.name === undefined ? {} : { name: await shownName(change.name) };
      const before = Object.hasOwn(sessions, key) ? sessions[key] : undefined;
      const label = withoutEmpty({ ...(before as object | undefined), ...change, ...named });
      const { [key]: _before, ...others } = sessions;
      const all = Object.keys(label).length === 0 ? others : { ...sessions, [key]: label };
      writeAtomically(this.path, { version: 1, ...fields, sessions: all });
    } finally {
      lock.release();
    }
  }

  /** The document to change. A damaged file is moved first; one that cannot be read now is left alone. */
  #usable(): LabelDocument {
    const document = this.#read();
    if (!('problem' in document)) return document;
    if (!document.isDamaged) {
      throw new Error(`Cannot change ${this.path}: it ${document.problem}`);
    }
    const time = new Date().toISOString().replace(/\D/g, '').slice(0, 14);
    renameSync(this.path, `${this.path}${DAMAGED}${time}-${randomBytes(3).toString('hex')}`);
    return readLabelDocument('') as LabelDocument;
  }

  #labels(): ReadonlyMap<string, SessionLabel> {
    const document = this.#read();
    return 'problem' in document ? new Map() : document.labels;
  }

  #read(): LabelDocument | UnusableLabels {
    const stamp = this.stamp();
    if (stamp === this.#stamp && stamp !== '') return this.#document;
    this.#document = readLabelDocument(this.path);
    this.#stamp = stamp;
    return this.#document;
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
/** Between the name of the file and the time of a damaged copy. */
const DAMAGED = '.damaged-';

function withoutEmpty({ name, isPinned, isArchived, ...unknown }: SessionLabel): SessionLabel {
  return {
    ...unknown,
    ...(name && { name }),
    ...(isPinned && { isPinned: true }),
    ...(isArchived && { isArchived: true }),
  };
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    // Without the folder there are no copies either.
    return [];
  }
}

/** A link is kept: what it points to is replaced. Flushed, because this is the only copy. */
function writeAtomically(path: string, document: object): void {
  const target = targetOf(path);
  const draft = `${target}.${randomBytes(6).toString('hex')}.tmp`;
  try {
    const text = `${JSON.stringify(document, null, 2)}\n`;
    writeFileSync(draft, text, { mode: 0o600, flush: true });
    renameSync(draft, target);
  } catch (error) {
    rmSync(draft, { force: true });
    throw new Error(`Cannot write ${path}`, { cause: error });
  }
}

function targetOf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    // Missing, or a link to nothing.
    return path;
  }
}
