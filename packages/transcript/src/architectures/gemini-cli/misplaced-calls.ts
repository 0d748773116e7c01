import type { LedgerEntry } from './message-ledger.ts';

/**
 * Calls listed with an early message although a later one made them, as in files written in ACP mode:
 * their result comes after another model message, which determines their position.
 */
export function misplacedCalls(entries: readonly LedgerEntry[]): ReadonlySet<string> {
  const owners = new Map<string, LedgerEntry>();
  const misplaced = new Set<string>();
  let lastMessage: LedgerEntry | undefined;
  for (const entry of entries) {
    if (entry.message.type === 'gemini' && !entry.isAcknowledgement) {
      lastMessage = entry;
      claimCalls(entry, owners);
    }
    for (const { callId } of entry.message.responses) {
      const owner = owners.get(callId);
      if (owner === undefined) continue;
      if (owner !== lastMessage && !isMadeBy(owner, entry)) misplaced.add(callId);
      owners.delete(callId);
    }
  }
  return misplaced;
}

function claimCalls(entry: LedgerEntry, owners: Map<string, LedgerEntry>): void {
  for (const id of entry.calls) if (!owners.has(id)) owners.set(id, entry);
}

/** The id of a rebuilt result is `<message id>_response`. */
function isMadeBy(owner: LedgerEntry, answer: LedgerEntry): boolean {
  return answer.message.id === `${owner.message.id}_response`;
}
