/** Turns the timestamps of messages and history entries from text into Dates. */
export function reviveDates<Value>(values: readonly Value[]): Value[] {
  return values.map((value) => (isRecord(value) ? (reviveOne(value) as Value) : value));
}

/** Like `reviveDates`, but in place, for values just read from a file and not shared. */
export function reviveDatesIn(values: readonly unknown[]): void {
  for (const value of values) {
    if (!isRecord(value) || typeof value.id !== 'string') continue;
    if (typeof value.role === 'string')
      value.timestamp = toDate(value.timestamp) ?? value.timestamp;
    else if (typeof value.category === 'string') reviveEntryIn(value);
  }
}

function reviveEntryIn(entry: Record<string, unknown>): void {
  const { timestamp: written, category, data } = entry;
  const timestamp = toDate(written) ?? written;
  entry.timestamp = timestamp;
  if (category !== 'chat' || !isRecord(data)) return;
  // A chat message has the time of its entry.
  if (data.timestamp === written) data.timestamp = timestamp;
  else reviveDatesIn([data]);
}

function reviveOne(value: Record<string, unknown>): Record<string, unknown> {
  const isMessage = typeof value.id === 'string' && typeof value.role === 'string';
  const isEntry = typeof value.id === 'string' && typeof value.category === 'string';
  if (!isMessage && !isEntry) return value;
  const timestamp = toDate(value.timestamp);
  const isChat = isEntry && value.category === 'chat' && isRecord(value.data);
  const data = isChat ? reviveOne(value.data as Record<string, unknown>) : value.data;
  // Already revived values are not copied: a long session has thousands of them.
  if (!timestamp && data === value.data) return value;
  return { ...value, ...(timestamp && { timestamp }), ...(isChat && { data }) };
}

function toDate(value: unknown): Date | undefined {
  if (typeof value !== 'string') return undefined;
  const time = timeOf(value);
  return Number.isNaN(time) ? undefined : new Date(time);
}

const TIME_LENGTH = '2026-11-17T01:15:57.086Z'.length;
const MINUTE_LENGTH = '2026-11-17T01:15:'.length;
/** Cache of the last parsed minute: thousands of timestamps share few minutes. */
let lastMinute = '-';
let lastMinuteTime = Number.NaN;

/** `Date.parse` with a fast path for our own format. */
function timeOf(text: string): number {
  const seconds = text.length === TIME_LENGTH ? secondsOf(text) : Number.NaN;
  if (Number.isNaN(seconds)) return Date.parse(text);
  if (!text.startsWith(lastMinute)) {
    lastMinute = text.slice(0, MINUTE_LENGTH);
    lastMinuteTime = Date.parse(`${lastMinute}00.000Z`);
  }
  return lastMinuteTime + seconds;
}

/** Milliseconds of the `57.086Z` in `2026-11-17T01:15:57.086Z`; NaN for any other format. */
function secondsOf(text: string): number {
  const at = MINUTE_LENGTH;
  if (text.charCodeAt(at) > FIVE || text.charAt(at + 2) !== '.' || !text.endsWith('Z')) {
    return Number.NaN;
  }
  let milliseconds = 0;
  for (let index = 0; index < DIGITS.length; index++) {
    const digit = text.charCodeAt(at + (DIGITS[index] ?? 0)) - ZERO;
    if (digit < 0 || digit > 9) return Number.NaN;
    milliseconds = milliseconds * 10 + digit;
  }
  return milliseconds;
}

const ZERO = 48;
/** The tens digit of the seconds is at most 5. */
const FIVE = 53;
/** Offsets of the digits of `57.086`. */
const DIGITS = [0, 1, 3, 4, 5] as const;

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
