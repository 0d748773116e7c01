import type { SessionRecordStore } from '@robota-sdk/agent-session';
import type { FinderPlace } from '@robota-sdk/agent-transcript/architectures';
import type { ForkStart } from './fork-source.ts';
import type { HandOverReport } from './hand-over-report.ts';
import type { HandOverSource, ReadSource } from './source-session.ts';

/** The session, the target agent, and what to do when the session is too long. */
export interface HandOverOptions {
  readonly from: HandOverSource;
  /** `claude`, `codex`, `gemini` or `robota`. */
  readonly to: string;
  /** Directory of the new session; defaults to that of the source. */
  readonly cwd?: string | undefined;
  /** Reports what would be written and writes nothing. */
  readonly dryRun?: boolean | undefined;
  /** Includes everything since the start, even what a compaction replaced. */
  readonly full?: boolean | undefined;
  /** What to do with a session too long for the target's models; without it nothing is written. */
  readonly whenTooLong?: WhenTooLong | undefined;
  /** Where programs store their sessions; defaults to the user's home. */
  readonly place?: Partial<FinderPlace> | undefined;
  /** Store for a session continued in Robota; defaults to that of `~/.robota`. */
  readonly store?: SessionRecordStore | undefined;
  readonly now?: (() => Date) | undefined;
}

/** `leave_to_target`: the target's program compacts it before its first turn. */
export type WhenTooLong =
  | 'leave_to_target'
  | { readonly summarise: (conversation: string) => Promise<string> };

/** What a hand-over wrote or would write. */
export type HandOverResult =
  | (PlannedHandOver & { readonly status: 'planned' })
  | (PlannedHandOver & {
      readonly status: 'too_long';
      readonly contextTokens: number;
      /** A sentence for the user who has to decide. */
      readonly message: string;
    })
  | (PlannedHandOver & {
      readonly status: 'written';
      readonly file: string;
      /** The program and arguments that resume it in `cwd`. */
      readonly resume: readonly string[];
    })
  | (PlannedHandOver & { readonly status: 'ready'; readonly start: ForkStart });

/** The fields of every outcome. */
export interface PlannedHandOver {
  /** The id of the new session; for Robota the source's id, because the fork gets its own later. */
  readonly id: string;
  readonly from: ReadSource['origin'];
  readonly to: string;
  readonly cwd: string;
  readonly report: HandOverReport;
}

/** Thrown for an agent whose sessions cannot be written. */
export class HandOverTargetError extends Error {
  override readonly name = 'HandOverTargetError';
  readonly target: string;

  constructor(target: string, able: readonly string[]) {
    super(`Sessions cannot be handed over to "${target}"; possible are ${able.join(', ')}.`);
    this.target = target;
  }
}
