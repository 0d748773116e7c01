import type { Suggestion } from './use-suggestions.ts';

interface SuggestionListProps {
  readonly id: string;
  readonly suggestions: readonly Suggestion[];
  readonly chosen: number;
  readonly onTake: (suggestion: Suggestion) => void;
}

export function SuggestionList({ id, suggestions, chosen, onTake }: SuggestionListProps) {
  if (suggestions.length === 0) return null;
  return (
    <div id={id} className="suggestions" role="listbox" aria-label="Suggestions">
      {suggestions.map((suggestion, index) => (
        <button
          key={suggestion.word}
          id={`${id}-${index}`}
          type="button"
          className="suggestion"
          role="option"
          tabIndex={-1}
          aria-selected={index === chosen}
          // Keeps the focus in the prompt.
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => onTake(suggestion)}
        >
          <span className="mono suggestion-word ellipsis">{suggestion.word}</span>
          <span className="dim ellipsis">{suggestion.description}</span>
        </button>
      ))}
    </div>
  );
}
