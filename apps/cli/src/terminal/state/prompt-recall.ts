/** Earlier prompts, oldest first, and where the person is among them. */
export interface PromptRecall {
  readonly prompts: readonly string[];
  /** Undefined while a prompt of one's own is being written. */
  readonly index: number | undefined;
  /** What was being written before the first step back. */
  readonly draft: string;
}

export const EMPTY_RECALL: PromptRecall = { prompts: [], index: undefined, draft: '' };

/** One step back; undefined when there is nothing older. */
export function recallOlder(
  recall: PromptRecall,
  current: string,
): { recall: PromptRecall; text: string } | undefined {
  const index = (recall.index ?? recall.prompts.length) - 1;
  const text = recall.prompts[index];
  if (text === undefined) return undefined;
  const draft = recall.index === undefined ? current : recall.draft;
  return { recall: { ...recall, index, draft }, text };
}

/** One step towards now; behind the newest stands what was being written. */
export function recallNewer(
  recall: PromptRecall,
): { recall: PromptRecall; text: string } | undefined {
  if (recall.index === undefined) return undefined;
  const index = recall.index + 1;
  const text = recall.prompts[index];
  if (text !== undefined) return { recall: { ...recall, index }, text };
  return { recall: { ...recall, index: undefined }, text: recall.draft };
}

export function rememberPrompt(recall: PromptRecall, prompt: string): PromptRecall {
  const prompts = recall.prompts.at(-1) === prompt ? recall.prompts : [...recall.prompts, prompt];
  return { prompts, index: undefined, draft: '' };
}

/** Prompts that contain every word of the query, newest first, each once. */
export function searchPrompts(prompts: readonly string[], query: string): string[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  const found = prompts.filter((prompt) =>
    words.every((word) => prompt.toLowerCase().includes(word)),
  );
  return [...new Set(found.toReversed())];
}
