import type { SessionRecordStore } from '@robota-sdk/agent-session';
import type { FinderPlace } from '@robota-sdk/agent-transcript/architectures';
import type { ForkStart } from './fork-source.ts';
import type { HandOverReport } from './hand-over-report.ts';
import type { HandOverSource, ReadSource } from './source-session.ts';

/** Which session goes to which agent, and what to do when it is too long. */
export interface HandOverOptions {
  readonly from: HandOverSource;
  /** `claude`, `codex`, `gemini` or `robota`. */
  readonly to: string;
  /** Where the session goes on; where it took place when left out. */
  readonly cwd?: string | undefined;
  /** Reports what would be written and writes nothing. */
  readonly dryRun?: boolean | undefined;
  /** Carries everything since the start, also what a compaction has replaced. */
  readonly full?: boolean | undefined;
  /** What is to be done with a session that the target's models cannot read whole; without it nothing is written. */
  readonly whenTooLong?: WhenTooLong | undefined;
  /** Where programs keep their sessions; the user's own home when left out. */
  readonly place?: Partial<FinderPlace> | undefined;
  /** Of sessions that go on in our own engine; that of `~/.robota` when left out. */
  readonly store?: SessionRecordStore | undefined;
  readonly now?: (() => Date) | undefined;
}

/** `leave_to_target`: the target's program compacts it before its first turn. */
export type WhenTooLong =
  | 'leave_to_target'
  | { readonly summarise: (conversation: string) => Promise<string> };

/** What a hand-over wrote, or would write. */
export type HandOverResult =
  | (PlannedHandOver & { readonly status: 'planned' })
  | (PlannedHandOver & {
      readonly status: 'too_long';
      readonly contextTokens: number;
      /** A sentence for the person who has to decide. */
      readonly message: string;
    })
  | (PlannedHandOver & {
      readonly status: 'written';
      readonly file: string;
      /** The program and its arguments that go on with it, in `cwd`. */
      readonly resume: readonly string[];
    })
  | (PlannedHandOver & { readonly status: 'ready'; readonly start: ForkStart });

/** What every outcome tells. */
export interface PlannedHandOver {
  /** The id of the new session; of one in our own engine the origin's, because the fork gets its own. */
  readonly id: string;
  readonly from: ReadSource['origin'];
  readonly to: string;
  readonly cwd: string;
  readonly report: HandOverReport;
}

/** Thrown for an agent whose sessions we cannot write. */
export class HandOverTargetError extends Error {
  override readonly name = 'HandOverTargetError';
  readonly target: string;

  constructor(target: string, able: readonly string[]) {
    super(`Sessions cannot be handed over to "${target}"; possible are ${able.join(', ')}.`);
    this.target = target;
  }
}
