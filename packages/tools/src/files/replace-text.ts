export interface Replacement {
  readonly oldString: string;
  readonly newString: string;
  readonly replaceAll: boolean;
}

export type ReplaceResult =
  | {
      readonly kind: 'replaced';
      readonly text: string;
      readonly count: number;
      readonly startLine: number;
    }
  | { readonly kind: 'not_found' }
  | { readonly kind: 'not_unique'; readonly count: number };

/** Replaces exact text. In a file with CRLF line ends, the model's LF means CRLF. */
export function replaceText(text: string, replacement: Replacement): ReplaceResult {
  const { oldString, newString } = withLineEndsOf(text, replacement);
  const parts = text.split(oldString);
  const count = parts.length - 1;
  if (count === 0) return { kind: 'not_found' };
  if (count > 1 && !replacement.replaceAll) return { kind: 'not_unique', count };
  const startLine = (parts[0] ?? '').split('\n').length;
  return { kind: 'replaced', text: parts.join(newString), count, startLine };
}

function withLineEndsOf(text: string, replacement: Replacement): Replacement {
  if (!text.includes('\r\n')) return replacement;
  const isMixed = /(^|[^\r])\n/.test(text);
  if (isMixed && text.includes(replacement.oldString)) return replacement;
  return {
    ...replacement,
    oldString: toCrlf(replacement.oldString),
    newString: toCrlf(replacement.newString),
  };
}

function toCrlf(text: string): string {
  return text.replace(/\r?\n/g, '\r\n');
}
