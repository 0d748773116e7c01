import { SqliteCatalogue } from '@robota-sdk/agent-archive/sqlite';
import fc from 'fast-check';
import { describe, expect, it, onTestFinished } from 'vitest';
import { CalendarDays } from '../../src/usage/calendar-days.ts';
import { temporaryHome } from '../generated-home.ts';

const ZONES = [
  undefined,
  'UTC',
  'Europe/Berlin',
  'America/New_York',
  'America/St_Johns',
  'Asia/Kathmandu',
  'Australia/Lord_Howe',
  'Africa/Casablanca',
  'Pacific/Kiritimati',
  'Pacific/Pago_Pago',
];
const time = fc.integer({ min: Date.UTC(2022, 1, 1), max: Date.UTC(2030, 0, 1) });

function shownDay(at: number, timeZone: string | undefined): string {
  return new Intl.DateTimeFormat('en-CA', { timeZone, dateStyle: 'short' }).format(at);
}

describe.each(ZONES)('the days of %s', (timeZone) => {
  const calendar = new CalendarDays(timeZone);

  it('are those that its clocks show', () => {
    fc.assert(
      fc.property(time, (at) => {
        expect(calendar.keyOf(at, 'day')).toBe(shownDay(at, timeZone));
      }),
    );
  });

  it('are the same in a database', async () => {
    const catalogue = new SqliteCatalogue({ home: temporaryHome(), environment: {} });
    onTestFinished(() => catalogue.close());
    const times = fc.sample(time, { numRuns: 500, seed: 1 });
    const expression = calendar.daySql('value', Date.UTC(2031, 0, 1));

    const days = await catalogue.inspect((database) =>
      database.rows(`select ${expression} as day from json_each(?)`, JSON.stringify(times)),
    );

    expect(days.map(({ day }) => calendar.keyOfDay(Number(day), 'day'))).toEqual(
      times.map((at) => shownDay(at, timeZone)),
    );
  });
});

it('names a week by its Monday and a month by its number', () => {
  const calendar = new CalendarDays('UTC');
  const keys = ['2026-11-15T23:59:59Z', '2026-11-16T00:00:00Z', '2026-11-22T12:00:00Z'].map(
    (at) => [calendar.keyOf(Date.parse(at), 'week'), calendar.keyOf(Date.parse(at), 'month')],
  );

  expect(keys).toEqual([
    ['2026-11-09', '2026-11'],
    ['2026-11-16', '2026-11'],
    ['2026-11-16', '2026-11'],
  ]);
});
