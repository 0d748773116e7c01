/** Action of a key in the prompt box; undefined leaves the key to the browser. */
export type PromptAction = 'up' | 'down' | 'quiet' | 'stop' | 'take-back' | 'take' | 'send';

export interface PromptFacts {
  readonly key: string;
  readonly isShift: boolean;
  /** An input method is composing. */
  readonly isComposing: boolean;
  readonly text: string;
  /** The selected suggestion, if any. */
  readonly suggestion: string | undefined;
  readonly isBusy: boolean;
  readonly hasQueue: boolean;
}

export function promptAction(facts: PromptFacts): PromptAction | undefined {
  if (facts.isComposing) return undefined;
  return facts.suggestion === undefined ? plainAction(facts) : listAction(facts, facts.suggestion);
}

function listAction(
  { key, isShift, text }: PromptFacts,
  suggestion: string,
): PromptAction | undefined {
  switch (key) {
    case 'ArrowUp':
      return 'up';
    case 'ArrowDown':
      return 'down';
    case 'Escape':
      return 'quiet';
    case 'Tab':
      return 'take';
    case 'Enter':
      if (isShift) return undefined;
      // A fully typed command is sent, not completed.
      return suggestion === text.trim() ? 'send' : 'take';
    default:
      return undefined;
  }
}

function plainAction(facts: PromptFacts): PromptAction | undefined {
  if (facts.key === 'Enter') return facts.isShift ? undefined : 'send';
  if (facts.key === 'Escape') return facts.isBusy ? 'stop' : undefined;
  const isTakeBack = facts.key === 'ArrowUp' && facts.text === '' && facts.hasQueue;
  return isTakeBack ? 'take-back' : undefined;
}
