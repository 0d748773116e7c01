/** Messages and history entries whose timestamps were text in a file and are Dates again. */
export function reviveDates<Value>(values: readonly Value[]): Value[] {
  return values.map((value) => (isRecord(value) ? (reviveOne(value) as Value) : value));
}

/** The same in place, for what was read from a file just now and nobody else has. */
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
  // What was said has the time of its entry.
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
  // What was revived before is passed on: a long session has thousands of these.
  if (!timestamp && data === value.data) return value;
  return { ...value, ...(timestamp && { timestamp }), ...(isChat && { data }) };
}

function toDate(value: unknown): Date | undefined {
  if (typeof value !== 'string') return undefined;
  const date = new Date(value);
  return Number.isNaN(date.getTime()) ? undefined : date;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
