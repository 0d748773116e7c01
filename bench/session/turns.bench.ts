import { type BenchRow, median } from '../harness.ts';
import { type LongSession, runLongSession } from './long-session.ts';

const TURNS = 400;
const CHARACTERS = 500;

let measured: Promise<LongSession> | undefined;

function longSession(): Promise<LongSession> {
  measured ??= runLongSession(30, CHARACTERS).then(() => runLongSession(TURNS, CHARACTERS));
  return measured;
}

function around(values: readonly number[], turn: number): number {
  return median(values.slice(Math.max(0, turn - 10), turn + 10));
}

export const rows: readonly BenchRow[] = [
  {
    name: 'turn 400 against turn 10, file logger and record store',
    unit: 'x',
    target: 1.2,
    async measure() {
      const { turnMs } = await longSession();
      const [late, early] = [around(turnMs, TURNS - 10), around(turnMs, 10)];
      const detail = `${late.toFixed(3)} ms against ${early.toFixed(3)} ms, medians of 20 turns`;
      return { value: late / early, detail };
    },
  },
  {
    name: 'bytes of turn 400 against turn 10',
    unit: 'x',
    target: 1.1,
    async measure() {
      const { bytes } = await longSession();
      const growth = bytes.slice(1, TURNS).map((size, index) => size - (bytes[index] ?? 0));
      const [late, early] = [around(growth, TURNS - 11), around(growth, 10)];
      return { value: late / early, detail: `${late} bytes against ${early} bytes` };
    },
  },
];
