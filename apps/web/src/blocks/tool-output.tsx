import { useState } from 'react';
import { plainOutput } from './plain-output.ts';
import { useIsStatic } from './static-rendering.ts';

interface ToolOutputProps {
  readonly text: string;
  readonly isError: boolean;
  /** A command's end says how it went; of anything else the beginning is shown. */
  readonly part: 'beginning' | 'end';
}

/** Longer output is cut to a part of this many lines. */
const CUT_AT = 12;
const SHOWN = 8;

export function ToolOutput({ text, isError, part }: ToolOutputProps) {
  const [isWhole, setWhole] = useState(false);
  const isStatic = useIsStatic();
  const lines = plainOutput(text).replace(/\n+$/, '').split('\n');
  const isCut = lines.length > CUT_AT && !isWhole && !isStatic;
  const shown = isCut ? cut(lines, part) : lines;
  return (
    <div className={isError ? 'tool-output tool-output-bad' : 'tool-output'}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: long output is scrolled with the keyboard too. */}
      <section className="tool-output-scroll" tabIndex={0} aria-label="Output">
        <pre dir="ltr">{shown.join('\n')}</pre>
      </section>
      {lines.length > CUT_AT && !isStatic && (
        <button type="button" className="tool-more" onClick={() => setWhole(!isWhole)}>
          {isWhole ? 'Show less' : `Show all ${lines.length.toLocaleString('en')} lines`}
        </button>
      )}
    </div>
  );
}

function cut(lines: readonly string[], part: ToolOutputProps['part']): readonly string[] {
  return part === 'end' ? lines.slice(-SHOWN) : lines.slice(0, SHOWN);
}
