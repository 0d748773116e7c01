import { isBlock, isListOf } from '../../is-block.ts';
import { isRecord } from '../../json-record.ts';

/** Whether a value read from a checkpoint or a log is a saved fold, so that restoring it cannot fail later. */
export function isSavedFold(saved: unknown): boolean {
  if (!isRecord(saved) || !isState(saved.state) || !isConversation(saved.main)) return false;
  return isOptionalList(saved.threads, isThread);
}

function isState(state: unknown): boolean {
  if (!isRecord(state) || !isRecord(state.metadata)) return false;
  return (
    isListOf(state.blocks, isBlock) &&
    isListOf(state.subagents, isSubagentThread) &&
    isListOf(state.superseded, isBranch)
  );
}

function isSubagentThread(thread: unknown): boolean {
  return isRecord(thread) && typeof thread.id === 'string' && isListOf(thread.blocks, isBlock);
}

function isBranch(branch: unknown): boolean {
  if (!isRecord(branch) || typeof branch.reason !== 'string') return false;
  const { afterBlockId, blocks } = branch;
  return (afterBlockId === null || typeof afterBlockId === 'string') && isListOf(blocks, isBlock);
}

function isConversation(conversation: unknown): boolean {
  if (!isRecord(conversation)) return false;
  const { calls, shown, summarized, rewinds, round } = conversation;
  return (
    isListOf(calls, isBlock) &&
    isListOf(shown, isShown) &&
    isOptionalList(summarized, isShown) &&
    isOptionalList(rewinds, isView) &&
    (round === undefined || isRound(round))
  );
}

function isView(view: unknown): boolean {
  return (
    isRecord(view) &&
    isListOf(view.shown, isShown) &&
    isListOf(view.summarized, isShown) &&
    isOptionalList(view.gone, isText)
  );
}

function isShown(shown: unknown): boolean {
  return isRecord(shown) && isListOf(shown.blockIds, isText);
}

function isRound(round: unknown): boolean {
  return isRecord(round) && isText(round.prefix) && isListOf(round.said, isPart);
}

function isPart(part: unknown): boolean {
  return isRecord(part) && isText(part.id) && isText(part.type) && isText(part.text);
}

function isThread(thread: unknown): boolean {
  if (!isRecord(thread) || !isRecord(thread.subagent)) return false;
  return isText(thread.subagent.agentId) && isConversation(thread.blocks);
}

function isOptionalList(value: unknown, check: (item: unknown) => boolean): boolean {
  return value === undefined || isListOf(value, check);
}

function isText(value: unknown): boolean {
  return typeof value === 'string';
}
