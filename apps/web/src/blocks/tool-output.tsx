import { useState } from 'react';
import { Fold } from './fold.tsx';
import { plainOutput } from './plain-output.ts';
import { useIsStatic } from './static-rendering.ts';

interface ToolOutputProps {
  readonly text: string;
  readonly isError: boolean;
  /** Which part to show when cut: the end for commands, the beginning otherwise. */
  readonly part: 'beginning' | 'end';
}

/** Output with more lines than this is cut. */
const CUT_AT = 12;
const SHOWN = 8;

export function ToolOutput({ text, isError, part }: ToolOutputProps) {
  const [isWhole, setWhole] = useState(false);
  const isStatic = useIsStatic();
  const lines = plainOutput(text).replace(/\n+$/, '').split('\n');
  const isLong = lines.length > CUT_AT;
  const isCut = isLong && (isStatic || !isWhole);
  return (
    <div className={isError ? 'tool-output tool-output-bad' : 'tool-output'}>
      <OutputText lines={isCut ? cut(lines, part) : lines} />
      {isLong && isStatic && (
        <Fold className="tool-whole" head={<span className="grow">{allOf(lines)}</span>}>
          <OutputText lines={lines} />
        </Fold>
      )}
      {isLong && !isStatic && (
        <button type="button" className="tool-more" onClick={() => setWhole(!isWhole)}>
          {isWhole ? 'Show less' : allOf(lines)}
        </button>
      )}
    </div>
  );
}

function OutputText({ lines }: { readonly lines: readonly string[] }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: long output is scrolled with the keyboard too.
    <figure className="tool-output-scroll" tabIndex={0} aria-label="Output">
      <pre dir="ltr">{lines.join('\n')}</pre>
    </figure>
  );
}

function allOf(lines: readonly string[]): string {
  return `Show all ${lines.length.toLocaleString('en')} lines`;
}

function cut(lines: readonly string[], part: ToolOutputProps['part']): readonly string[] {
  return part === 'end' ? lines.slice(-SHOWN) : lines.slice(0, SHOWN);
}
