import { neutraliseEscapes, type ToolDiff, type ToolDiffLine } from '@robota-sdk/agent-transcript';
import { memo, type ReactNode } from 'react';
import { byPosition } from '../by-position.ts';
import { highlightCode, languageOfPath } from '../markdown/highlight-code.tsx';
import { changedPart, partnerOf } from './changed-part.ts';

interface DiffViewProps {
  readonly diff: ToolDiff;
  readonly path: string;
}

/** A diff with the file's line numbers and the changed words marked; hidden characters are shown. */
export const DiffView = memo(function DiffView({ diff, path }: DiffViewProps) {
  const language = languageOfPath(path);
  const label = `Changes in ${neutraliseEscapes(path)}`;
  const lines = diff.lines.map((line) => ({ ...line, text: neutraliseEscapes(line.text) }));
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: long lines are scrolled with the keyboard too.
    <figure className="diff" tabIndex={0} aria-label={label} dir="ltr">
      {byPosition(lines, (line, position, index) => (
        <div key={position} className={ROW_CLASSES[line.sign]}>
          <span className="diff-number">{numberOf(line)}</span>
          <span className="diff-sign">
            {SIGNS[line.sign]}
            <span className="visually-hidden">{SPOKEN[line.sign]}</span>
          </span>
          <span className="diff-text">{textOf(lines, index, language)}</span>
        </div>
      ))}
    </figure>
  );
});

const ROW_CLASSES = {
  ' ': 'diff-line',
  '+': 'diff-line diff-added',
  '-': 'diff-line diff-removed',
  '@': 'diff-line diff-gap',
};
const SIGNS = { ' ': '', '+': '+', '-': '−', '@': '' };
const SPOKEN = { ' ': '', '+': ' added', '-': ' removed', '@': '' };

function numberOf(line: ToolDiffLine): ReactNode {
  if (line.sign === '@') return '⋯';
  return line.sign === '-' ? line.oldLine : line.newLine;
}

function textOf(
  lines: readonly ToolDiffLine[],
  index: number,
  language: string | undefined,
): ReactNode {
  const line = lines[index];
  if (!line) return null;
  const partner = partnerOf(lines, index);
  const part = partner === undefined ? undefined : changedPart(line.text, partner);
  if (!part) return highlightCode(line.text, language);
  return (
    <>
      {line.text.slice(0, part.start)}
      <mark>{line.text.slice(part.start, part.end)}</mark>
      {line.text.slice(part.end)}
    </>
  );
}
