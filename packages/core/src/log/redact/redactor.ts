import { type RedactStream, StreamRedaction } from './redact-stream.ts';
import { redactDeep, toPlainValue } from './redact-value.ts';
import { Scanner } from './scan.ts';
import { createSecretIds } from './secret-id.ts';
import { secretRules } from './secret-rules.ts';

/** A secret that was found in text and replaced by a placeholder with this id. */
export interface FoundSecret {
  readonly id: string;
  readonly kind: string;
  readonly value: string;
}

/** A value of a secret name that was replaced by the mark, which has no id: it is found again by its path. */
export interface NamedSecret {
  /** Keys and indexes from the redacted value down to the mark. */
  readonly path: readonly (string | number)[];
  /** As plain JSON data. */
  readonly value: unknown;
}

/** Options of a redactor. */
export interface RedactorOptions {
  /** With a salt, placeholders have ids: `[REDACTED:<kind>:<id>]`. Never store it next to the placeholders. */
  readonly salt?: string | undefined;
  /** Replacement for the value of a secret name; `[REDACTED]` by default. */
  readonly mark?: string | undefined;
  readonly onSecret?: ((secret: FoundSecret) => void) | undefined;
  readonly onNamedSecret?: ((secret: NamedSecret) => void) | undefined;
}

/** Applied to everything that is written or shown to others. */
export interface Redactor {
  redactText(text: string): string;
  /** See `redactDeep`: safe for any value, changes nothing in place, copies only what changes. */
  redactValue<Value>(value: Value): Value;
  /** For streamed text. */
  createStream(): RedactStream;
}

/** Minimum length of a secret together with what identifies it. */
const MIN_LENGTH = 8;

/** Creates a redactor. */
export function createRedactor(options: RedactorOptions = {}): Redactor {
  const { salt, mark = '[REDACTED]', onSecret, onNamedSecret } = options;
  const clean = new CleanTexts();
  const idOf = salt === undefined ? undefined : createSecretIds(salt);
  const placeholders = (report: ((secret: FoundSecret) => void) | undefined) =>
    idOf ? withIds(idOf, report) : (kind: string) => withoutId(kind, mark);
  const replace = placeholders(onSecret);
  return {
    redactText: (text) => redactWhole(text, replace, clean),
    redactValue<Value>(value: Value) {
      const found: FoundSecret[] = [];
      const named: NamedSecret[] = [];
      const replaceLater = placeholders(onSecret && ((secret) => found.push(secret)));
      const redacted = redactDeep(value, {
        redactText: (text) => redactWhole(text, replaceLater, clean),
        hide(secret, path) {
          if (onNamedSecret) named.push({ path: [...path], value: toPlainValue(secret) });
          return mark;
        },
      });
      // Reported at the end, so that a failure of the listener is not taken for one of the value.
      for (const secret of found) onSecret?.(secret);
      for (const secret of named) onNamedSecret?.(secret);
      // The shape stays, so callers may go on as with the value they gave.
      return redacted as Value;
    },
    createStream: () => new StreamRedaction(replace),
  };
}

type Replace = (kind: string, value: string) => string;

function redactWhole(text: string, replace: Replace, clean: CleanTexts): string {
  if (text.length < MIN_LENGTH || clean.has(text)) return text;
  const redacted = new Scanner(secretRules(), replace).scan(text, 0, true).clean;
  if (redacted === undefined) clean.add(text);
  return redacted ?? text;
}

/** The latest long texts without secrets: a session writes its system prompt with every request. */
class CleanTexts {
  static readonly #MOST = 8;
  static readonly #SHORTEST = 256;
  static readonly #LONGEST = 65_536;
  readonly #texts: string[] = [];
  #next = 0;

  has(text: string): boolean {
    return text.length >= CleanTexts.#SHORTEST && this.#texts.includes(text);
  }

  /** Replaces the oldest. A list, because a set would compute a hash of every text. */
  add(text: string): void {
    if (text.length < CleanTexts.#SHORTEST || text.length > CleanTexts.#LONGEST) return;
    this.#texts[this.#next] = text;
    this.#next = (this.#next + 1) % CleanTexts.#MOST;
  }
}

/** Text beside a secret name has no kind of its own; with ids it is called `value`. */
function withoutId(kind: string, mark: string): string {
  return kind === 'value' ? mark : `[REDACTED:${kind}]`;
}

function withIds(
  idOf: (value: string) => string,
  report: ((secret: FoundSecret) => void) | undefined,
): Replace {
  return (kind, value) => {
    const id = idOf(value);
    report?.({ id, kind, value });
    return `[REDACTED:${kind}:${id}]`;
  };
}
