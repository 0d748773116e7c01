import { readFlags } from '../../arguments/read-flags.ts';
import { EXIT } from '../../exit-code.ts';
import type { Output } from '../../output.ts';
import { UsageError } from '../../usage-error.ts';
import { ARCHIVE_FLAGS } from './archive-flags.ts';
import { withArchive } from './open-archive.ts';

const FLAGS = {
  ...ARCHIVE_FLAGS,
  receipts: { type: 'string' },
  sessions: { type: 'string' },
} as const;

const RECEIPT_DAYS = 7;

/** Removes old receipts, and sessions unused for longer than `--sessions`. */
export async function pruneArchive(args: readonly string[], output: Output): Promise<number> {
  const { values } = readFlags(args, FLAGS);
  const receiptDays = daysOf('receipts', values.receipts) ?? RECEIPT_DAYS;
  const sessionDays = daysOf('sessions', values.sessions);
  const report = await withArchive(values.archive, async (archive) => {
    const { pruneArchive: prune } = await import('@robota-sdk/agent-archive/postgres');
    return prune(archive, { receiptDays, sessionDays });
  });
  if (values.json) output.writeLine(JSON.stringify(report));
  else {
    const { receipts, questions, nodes, sessions } = report;
    output.writeLine(
      `Removed ${receipts} receipts, ${questions} questions, ${nodes} ended leases, ${sessions} sessions.`,
    );
  }
  return EXIT.done;
}

function daysOf(flag: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (/^\d+$/.test(text)) return Number(text);
  throw new UsageError(`Invalid --${flag} "${text}". Must be a number of days.`);
}
