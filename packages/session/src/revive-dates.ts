/** Messages and history entries whose timestamps were text in a file and are Dates again. */
export function reviveDates<Value>(values: readonly Value[]): Value[] {
  return values.map((value) => (isRecord(value) ? (reviveOne(value) as Value) : value));
}

function reviveOne(value: Record<string, unknown>): Record<string, unknown> {
  const isMessage = typeof value.id === 'string' && typeof value.role === 'string';
  const isEntry = typeof value.id === 'string' && typeof value.category === 'string';
  if (!isMessage && !isEntry) return value;
  const revived = { ...value };
  const timestamp = toDate(value.timestamp);
  if (timestamp) revived.timestamp = timestamp;
  if (isEntry && value.category === 'chat' && isRecord(value.data)) {
    revived.data = reviveOne(value.data);
  }
  return revived;
}

function toDate(value: unknown): Date | undefined {
  if (typeof value !== 'string') return undefined;
  const date = new Date(value);
  return Number.isNaN(date.getTime()) ? undefined : date;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
