import { randomUUID } from 'node:crypto';
import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { asFields } from '../config/edit-settings.ts';
import { readSettingsText } from '../config/read-settings-text.ts';

/** An installed plugin, as stored in the registry file. */
export interface InstalledPlugin {
  /** `name@marketplace`, or the name alone. */
  readonly id: string;
  readonly name: string;
  readonly version: string;
  readonly marketplace?: string;
  /** Absolute when returned; relative to the plugins folder in the registry file. */
  readonly path: string;
  readonly isEnabled: boolean;
  /** ISO 8601, UTC. */
  readonly installedAt: string;
}

/** A JSON file of named entries, replaced atomically on every change. */
export class JsonRegistry<Entry> {
  readonly #file: string;

  constructor(file: string) {
    this.#file = file;
  }

  read(): Readonly<Record<string, Entry>> {
    const text = readSettingsText(this.#file);
    if (text === null) return {};
    if (typeof text !== 'string') throw new Error(`${this.#file} ${text.problem}`);
    let value: unknown;
    try {
      value = JSON.parse(text);
    } catch (error) {
      throw new Error(`${this.#file} is not valid JSON; mend it or delete it`, { cause: error });
    }
    const { entries = {} } = asFields(value);
    if (asFields(entries) === entries) return entries as Readonly<Record<string, Entry>>;
    throw new Error(`${this.#file} lists nothing in "entries"; mend it or delete it`);
  }

  set(name: string, entry: Entry): void {
    this.#write({ ...this.read(), [name]: entry });
  }

  delete(name: string): void {
    const { [name]: _gone, ...rest } = this.read();
    this.#write(rest);
  }

  #write(entries: Readonly<Record<string, Entry>>): void {
    mkdirSync(dirname(this.#file), { recursive: true, mode: 0o700 });
    const temporary = `${this.#file}.${randomUUID()}.tmp`;
    writeFileSync(temporary, `${JSON.stringify({ version: 1, entries }, null, 2)}\n`, {
      mode: 0o600,
    });
    renameSync(temporary, this.#file);
  }
}
