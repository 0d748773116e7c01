import { type EditorState, EMPTY_EDITOR, pasteText } from '../editor/editor-state.ts';

/** The prompt history, oldest first, and the position in it. */
export interface PromptRecall {
  readonly prompts: readonly string[];
  /** Undefined while a new prompt is being written. */
  readonly index: number | undefined;
  /** The prompt before the first step back, with what was pasted into it. */
  readonly draft: EditorState;
}

export const EMPTY_RECALL: PromptRecall = { prompts: [], index: undefined, draft: EMPTY_EDITOR };

interface RecallStep {
  readonly recall: PromptRecall;
  readonly editor: EditorState;
}

/** One step back; undefined at the oldest prompt. */
export function recallOlder(recall: PromptRecall, current: EditorState): RecallStep | undefined {
  const index = (recall.index ?? recall.prompts.length) - 1;
  const text = recall.prompts[index];
  if (text === undefined) return undefined;
  const draft = recall.index === undefined ? current : recall.draft;
  return { recall: { ...recall, index, draft }, editor: recalledPrompt(text) };
}

/** One step forward; after the newest prompt comes the draft. */
export function recallNewer(recall: PromptRecall): RecallStep | undefined {
  if (recall.index === undefined) return undefined;
  const index = recall.index + 1;
  const text = recall.prompts[index];
  if (text !== undefined) return { recall: { ...recall, index }, editor: recalledPrompt(text) };
  return { recall: { ...recall, index: undefined }, editor: recall.draft };
}

/** Longer prompts are mostly pasted, and slow to edit. */
const MAX_EDITABLE = 10_000;

/** An earlier prompt in the editor; a very long one as a paste. */
export function recalledPrompt(text: string): EditorState {
  if (text.length > MAX_EDITABLE) return pasteText(EMPTY_EDITOR, text);
  return { text, cursor: text.length, pastes: [] };
}

export function rememberPrompt(recall: PromptRecall, prompt: string): PromptRecall {
  const prompts = recall.prompts.at(-1) === prompt ? recall.prompts : [...recall.prompts, prompt];
  return { prompts, index: undefined, draft: EMPTY_EDITOR };
}

/** Prompts that contain every word of the query, newest first, without duplicates. */
export function searchPrompts(prompts: readonly string[], query: string): string[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  const found = prompts.filter((prompt) =>
    words.every((word) => prompt.toLowerCase().includes(word)),
  );
  return [...new Set(found.toReversed())];
}
