/** `0.01 s`, `2.3 s`, `1 min 12 s`. */
export function formatDuration(milliseconds: number): string {
  if (milliseconds < 950) return `${Math.max(0.01, Math.round(milliseconds / 10) / 100)} s`;
  if (milliseconds < 60_000) return `${(milliseconds / 1000).toFixed(1)} s`;
  const seconds = Math.round(milliseconds / 1000);
  return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}

/** `now`, `4m`, `3h`, `2d`, from two times in milliseconds. */
export function formatAge(then: number, now: number): string {
  const minutes = Math.max(0, Math.round((now - then) / 60_000));
  if (minutes < 1) return 'now';
  if (minutes < 60) return `${minutes}m`;
  if (minutes < 1440) return `${Math.round(minutes / 60)}h`;
  return `${Math.round(minutes / 1440)}d`;
}

/** `812`, `38.1k`, `2.1M`. */
export function formatCount(count: number): string {
  if (count < 1000) return String(Math.round(count));
  if (count < 999_950) return `${trimmed(count / 1000)}k`;
  return `${trimmed(count / 1_000_000)}M`;
}

/** Dollars; an unknown cost is never shown as $0. */
export function formatCost(dollars: number | undefined): string {
  return dollars === undefined ? 'unknown' : `$${dollars.toFixed(2)}`;
}

export function plural(count: number, one: string, many = `${one}s`): string {
  return `${count.toLocaleString('en')} ${count === 1 ? one : many}`;
}

function trimmed(value: number): string {
  return value < 100 ? value.toFixed(1) : String(Math.round(value));
}
