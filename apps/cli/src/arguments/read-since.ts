import { UsageError } from '../usage-error.ts';

const UNIT_MS: Readonly<Record<string, number>> = {
  min: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 7 * 86_400_000,
};

/** `today`, `yesterday`, `90min`, `24h`, `7d`, `2w`, a month, a day or a time, as milliseconds since 1970. */
export function readSince(text: string | undefined, now = Date.now()): number | undefined {
  if (text === undefined) return undefined;
  const midnight = new Date(now).setHours(0, 0, 0, 0);
  if (text === 'today') return midnight;
  if (text === 'yesterday') return new Date(midnight).setDate(new Date(midnight).getDate() - 1);
  const span = /^(\d+)\s*(min|h|d|w)$/.exec(text);
  if (span) return now - Number(span[1]) * (UNIT_MS[span[2] ?? ''] ?? 0);
  const day = /^(\d{4})-(\d{2})(?:-(\d{2}))?$/.exec(text);
  const time = day
    ? new Date(Number(day[1]), Number(day[2]) - 1, Number(day[3] ?? 1)).getTime()
    : Date.parse(text);
  if (Number.isNaN(time)) {
    throw new UsageError(
      `Cannot read --since "${text}". Valid: today | yesterday | 24h | 7d | 2w | 2026-01-31`,
    );
  }
  return time;
}
