/** The days, weeks and months of one time zone. */
export class CalendarDays {
  readonly #format: Intl.DateTimeFormat;

  /** That of this machine unless given. */
  constructor(timeZone?: string) {
    this.#format = new Intl.DateTimeFormat('en-CA', {
      timeZone,
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
    });
  }

  /** `2026-11-16`; a week is named by its Monday, a month `2026-11`. */
  keyOf(time: number, by: 'day' | 'week' | 'month'): string {
    const day = this.#format.format(time);
    if (by === 'day') return day;
    return by === 'month' ? day.slice(0, 7) : mondayOf(day);
  }

  labelOf(key: string, by: 'day' | 'week' | 'month'): string {
    if (by === 'month') return key;
    const date = new Date(`${key}T00:00:00Z`);
    return by === 'day' ? `${WEEKDAYS[date.getUTCDay()]} ${key}` : `week of ${key}`;
  }
}

const WEEKDAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];

function mondayOf(day: string): string {
  const date = new Date(`${day}T00:00:00Z`);
  date.setUTCDate(date.getUTCDate() - ((date.getUTCDay() + 6) % 7));
  return date.toISOString().slice(0, 10);
}
