import type { LedgerEntry } from './message-ledger.ts';

/**
 * Calls that a file lists with an early message although a later one made them, as files written in ACP mode do:
 * their answer stands behind another message of the model, and they are placed by it.
 */
export function misplacedCalls(entries: readonly LedgerEntry[]): ReadonlySet<string> {
  const owners = new Map<string, LedgerEntry>();
  const misplaced = new Set<string>();
  let speaker: LedgerEntry | undefined;
  for (const entry of entries) {
    if (entry.message.type === 'gemini' && !entry.isAcknowledgement) {
      speaker = entry;
      claimCalls(entry, owners);
    }
    for (const callId of firstAnswers(entry, owners)) {
      const owner = owners.get(callId);
      if (owner !== speaker && !isMadeBy(owner, entry)) misplaced.add(callId);
      owners.delete(callId);
    }
  }
  return misplaced;
}

function claimCalls(entry: LedgerEntry, owners: Map<string, LedgerEntry>): void {
  for (const { id } of entry.message.calls) if (!owners.has(id)) owners.set(id, entry);
}

function firstAnswers(
  { message }: LedgerEntry,
  owners: ReadonlyMap<string, LedgerEntry>,
): readonly string[] {
  return message.responses.map(({ callId }) => callId).filter((callId) => owners.has(callId));
}

/** A rebuilt answer names its message: `<id>_response`. */
function isMadeBy(owner: LedgerEntry | undefined, answer: LedgerEntry): boolean {
  return answer.message.id === `${owner?.message.id}_response`;
}
