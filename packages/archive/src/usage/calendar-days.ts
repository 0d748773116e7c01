type Period = 'day' | 'week' | 'month';

/** The days, weeks and months of one time zone. */
export class CalendarDays {
  readonly #timeZone: string | undefined;
  #format: Intl.DateTimeFormat | undefined;

  /** This machine's time zone by default. */
  constructor(timeZone?: string) {
    this.#timeZone = timeZone;
  }

  /** `2026-11-16`; a week is named by its Monday, a month `2026-11`. */
  keyOf(time: number, by: Period): string {
    return this.keyOfDay(Math.floor((time + this.#offsetAt(time)) / DAY_MS), by);
  }

  /** As `keyOf`, for a day given by its number since 1970. */
  keyOfDay(day: number, by: Period): string {
    // 1970 began on a Thursday.
    const first = by === 'week' ? day - ((((day + 3) % 7) + 7) % 7) : day;
    return new Date(first * DAY_MS).toISOString().slice(0, by === 'month' ? 7 : 10);
  }

  labelOf(key: string, by: Period): string {
    if (by === 'month') return key;
    const date = new Date(`${key}T00:00:00Z`);
    return by === 'day' ? `${WEEKDAYS[date.getUTCDay()]} ${key}` : `week of ${key}`;
  }

  /** SQL for the day number since 1970 of `column`, in milliseconds; valid for times up to `until`. */
  daySql(column: string, until: number): string {
    const cases: string[] = [];
    let offset = this.#offsetAt(FIRST);
    for (let from = FIRST; from < until; from += WEEK_MS) {
      if (this.#offsetAt(from + WEEK_MS) === offset) continue;
      cases.push(`when ${column} < ${this.#changeAfter(from)} then ${offset}`);
      offset = this.#offsetAt(from + WEEK_MS);
    }
    const ahead = cases.length === 0 ? offset : `case ${cases.join(' ')} else ${offset} end`;
    return `(${column} + ${ahead}) / ${DAY_MS}`;
  }

  /** When the clocks change in the week that begins at `from`, to the minute. */
  #changeAfter(from: number): number {
    const before = this.#offsetAt(from);
    let [low, high] = [from, from + WEEK_MS];
    while (high - low > MINUTE_MS) {
      const middle = low + Math.floor((high - low) / (2 * MINUTE_MS)) * MINUTE_MS;
      if (this.#offsetAt(middle) === before) low = middle;
      else high = middle;
    }
    return high;
  }

  /** How far the zone's clocks are ahead of UTC, in milliseconds. */
  #offsetAt(time: number): number {
    if (this.#timeZone === undefined) return new Date(time).getTimezoneOffset() * -MINUTE_MS;
    this.#format ??= new Intl.DateTimeFormat('en-US', {
      timeZone: this.#timeZone,
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
    });
    const shown = this.#format.format(time).match(/\d+/g) ?? [];
    const [month = 1, day = 1, year = 1970, hour = 0, minute = 0] = shown.map(Number);
    const local = Date.UTC(year, month - 1, day, hour, minute);
    return local - Math.floor(time / MINUTE_MS) * MINUTE_MS;
  }
}

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
/** No time zone changes its clocks twice within a week. */
const WEEK_MS = 7 * DAY_MS;
/** No agent wrote transcripts before. */
const FIRST = Date.UTC(2022, 0, 1);

const WEEKDAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];
