import { type RedactStream, StreamRedaction } from './redact-stream.ts';
import { redactDeep, toPlainValue } from './redact-value.ts';
import { Scanner } from './scan.ts';
import { createSecretIds } from './secret-id.ts';
import { SECRET_RULES } from './secret-rules.ts';

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
  /** As JSON can say it. */
  readonly value: unknown;
}

/** What a redactor may be told. */
export interface RedactorOptions {
  /** With a salt, placeholders carry ids: `[REDACTED:<kind>:<id>]`. It must not stand where the placeholders stand. */
  readonly salt?: string | undefined;
  /** What stands for the value of a secret name; `[REDACTED]` unless given. */
  readonly mark?: string | undefined;
  readonly onSecret?: ((secret: FoundSecret) => void) | undefined;
  readonly onNamedSecret?: ((secret: NamedSecret) => void) | undefined;
}

/** The one funnel in front of everything that is written or shown to others. */
export interface Redactor {
  redactText(text: string): string;
  /** See `redactDeep`: safe for any value, changes nothing in place, copies only what changes. */
  redactValue<Value>(value: Value): Value;
  /** For a text that comes in pieces. */
  createStream(): RedactStream;
}

/** No secret is shorter, with what tells that it is one. */
const SHORTEST = 8;

/** A redactor with rules and placeholders of its own. */
export function createRedactor(options: RedactorOptions = {}): Redactor {
  const { salt, mark = '[REDACTED]', onSecret, onNamedSecret } = options;
  const idOf = salt === undefined ? undefined : createSecretIds(salt);
  const placeholders = (report: ((secret: FoundSecret) => void) | undefined) =>
    idOf ? withIds(idOf, report) : (kind: string) => withoutId(kind, mark);
  const replace = placeholders(onSecret);
  return {
    redactText: (text) => redactWhole(text, replace),
    redactValue<Value>(value: Value) {
      const found: FoundSecret[] = [];
      const named: NamedSecret[] = [];
      const replaceLater = placeholders(onSecret && ((secret) => found.push(secret)));
      const clean = redactDeep(value, {
        redactText: (text) => redactWhole(text, replaceLater),
        hide(secret, path) {
          if (onNamedSecret) named.push({ path: [...path], value: toPlainValue(secret) });
          return mark;
        },
      });
      // Reported at the end, so that a failure of the listener is not taken for one of the value.
      for (const secret of found) onSecret?.(secret);
      for (const secret of named) onNamedSecret?.(secret);
      // The shape stays, so callers may go on as with the value they gave.
      return clean as Value;
    },
    createStream: () => new StreamRedaction(replace),
  };
}

type Replace = (kind: string, value: string) => string;

function redactWhole(text: string, replace: Replace): string {
  if (text.length < SHORTEST) return text;
  return new Scanner(SECRET_RULES, replace).scan(text, 0, true).clean ?? text;
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
