const UNITS: readonly (readonly [number, string])[] = [
  [60, 's'],
  [60, 'min'],
  [24, 'h'],
  [7, 'd'],
];

/** `3 h ago`; from a week on, the date. */
export function timeAgo(time: number, now = Date.now()): string {
  let value = Math.max(0, Math.round((now - time) / 1000));
  for (const [size, unit] of UNITS) {
    if (value < size) return unit === 's' && value < 5 ? 'just now' : `${value} ${unit} ago`;
    value = Math.floor(value / size);
  }
  return new Date(time).toISOString().slice(0, 10);
}
