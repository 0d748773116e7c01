import { Check, Copy } from 'lucide-react';
import { useMemo, useState } from 'react';
import { useIsStatic } from '../blocks/static-rendering.ts';
import { highlightCode } from './highlight-code.tsx';

interface CodeBlockProps {
  readonly text: string;
  readonly language: string | undefined;
  readonly isOpen: boolean;
}

export function CodeBlock({ text, language, isOpen }: CodeBlockProps) {
  const shown = useMemo(
    () => (isOpen ? text : highlightCode(text, language)),
    [text, language, isOpen],
  );
  const isStatic = useIsStatic();
  const label = language?.split(/\s/)[0] || 'text';
  return (
    <figure className="code">
      <figcaption>
        <span className="grow">{label}</span>
        {!isStatic && <CopyButton text={text} />}
      </figcaption>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: long lines are scrolled with the keyboard too. */}
      <figure className="code-scroll" tabIndex={0} aria-label={`Code, ${label}`}>
        <pre dir="ltr">
          <code>{shown}</code>
        </pre>
      </figure>
    </figure>
  );
}

function CopyButton({ text }: { readonly text: string }) {
  const [isCopied, setCopied] = useState(false);
  const copy = () => {
    navigator.clipboard.writeText(text).then(
      () => setCopied(true),
      // Without clipboard permission, the text can still be selected.
      () => setCopied(false),
    );
  };
  return (
    <button
      type="button"
      className="icon-button"
      aria-label={isCopied ? 'Copied' : 'Copy code'}
      onClick={copy}
      onBlur={() => setCopied(false)}
    >
      {isCopied ? <Check aria-hidden="true" /> : <Copy aria-hidden="true" />}
    </button>
  );
}
