/** Changes to other tables that are written together with a line. */
export interface LineEffects {
  readonly kind: string;
  /** The entry's number; undefined for a line that is not an entry, such as a header. */
  readonly n: number | undefined;
  readonly turn?: 'open' | 'ended' | undefined;
  /** Message id of the inbox item that the line takes. */
  readonly takes?: string | undefined;
  readonly ends?: { readonly status: string; readonly response: string } | undefined;
  readonly asks?: string | undefined;
  readonly settles?: string | undefined;
}

const HEAD = /^\{"n":(\d+),"t":\d+,"event":"([a-z_]+)"/;
/** Characters of a response kept for a repeated prompt; the log has all of it. */
const MAX_RESPONSE = 16 * 1024;

/** Derives a log line's changes to other tables. */
export function effectsOf(line: string): LineEffects {
  const [, n, kind] = HEAD.exec(line) ?? [];
  if (n === undefined || kind === undefined) return { kind: 'header', n: undefined };
  const effects = { kind, n: Number(n) };
  switch (kind) {
    case 'prompt':
      return { ...effects, turn: 'open', takes: textOf(parse(line).messageId) };
    case 'turn_end':
      return { ...effects, turn: 'ended', ends: endOf(parse(line)) };
    case 'permission_request':
      return { ...effects, asks: textOf(parse(line).requestId) };
    case 'permission_resolved':
      return { ...effects, settles: textOf(parse(line).requestId) };
    default:
      return effects;
  }
}

function endOf({ status, response, message }: Record<string, unknown>) {
  const text = textOf(response) ?? textOf(message) ?? '';
  return { status: textOf(status) ?? 'failed', response: text.slice(0, MAX_RESPONSE) };
}

function parse(line: string): Record<string, unknown> {
  return JSON.parse(line) as Record<string, unknown>;
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
