/** What a key means in the prompt box; undefined leaves it to the browser. */
export type PromptAction = 'up' | 'down' | 'quiet' | 'stop' | 'take-back' | 'take' | 'send';

export interface PromptFacts {
  readonly key: string;
  readonly isShift: boolean;
  /** An input method is putting a word together. */
  readonly isComposing: boolean;
  readonly text: string;
  /** The chosen suggestion, if any is shown. */
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
      // A command that is already there whole is run, not completed.
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
