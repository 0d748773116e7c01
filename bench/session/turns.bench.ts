import { type BenchRow, median } from '../harness.ts';
import { type LongSession, runLongSession } from './long-session.ts';

const TURNS = 400;
const CHARACTERS = 500;

const SESSIONS = 5;

let measured: Promise<readonly LongSession[]> | undefined;

/** Several sessions, because a busy moment of the machine lasts longer than twenty turns. */
function longSessions(): Promise<readonly LongSession[]> {
  measured ??= measure();
  return measured;
}

async function measure(): Promise<readonly LongSession[]> {
  await runLongSession(TURNS, CHARACTERS);
  const sessions: LongSession[] = [];
  for (let count = 0; count < SESSIONS; count++) {
    sessions.push(await runLongSession(TURNS, CHARACTERS));
  }
  return sessions;
}

/** The median of the 20 turns around one, of all sessions. */
function around(sessions: readonly (readonly number[])[], turn: number): number {
  return median(sessions.flatMap((values) => values.slice(Math.max(0, turn - 10), turn + 10)));
}

export const rows: readonly BenchRow[] = [
  {
    name: 'turn 400 against turn 10, file logger and record store',
    unit: 'x',
    target: 1.2,
    async measure() {
      const times = (await longSessions()).map(({ turnMs }) => turnMs);
      const [late, early] = [around(times, TURNS - 10), around(times, 10)];
      const detail = `${late.toFixed(3)} ms against ${early.toFixed(3)} ms, medians of 20 turns in ${SESSIONS} sessions`;
      return { value: late / early, detail };
    },
  },
  {
    name: 'bytes of turn 400 against turn 10',
    unit: 'x',
    target: 1.1,
    async measure() {
      const growth = (await longSessions()).map(({ bytes }) =>
        bytes.slice(1, TURNS).map((size, index) => size - (bytes[index] ?? 0)),
      );
      const [late, early] = [around(growth, TURNS - 11), around(growth, 10)];
      return { value: late / early, detail: `${late} bytes against ${early} bytes` };
    },
  },
];
