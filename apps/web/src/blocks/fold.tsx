import { ChevronRight } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { useIsStatic } from './static-rendering.ts';

interface FoldProps {
  readonly head: ReactNode;
  readonly isOpenAtFirst?: boolean | undefined;
  readonly className?: string | undefined;
  readonly children: ReactNode;
}

/** A collapsible line. Its content is rendered only while open, or in an export. */
export function Fold({ head, isOpenAtFirst = false, className, children }: FoldProps) {
  const [isOpen, setOpen] = useState(isOpenAtFirst);
  const isStatic = useIsStatic();
  return (
    <details
      className={className === undefined ? 'fold' : `fold ${className}`}
      open={isOpen}
      onToggle={(event) => setOpen(event.currentTarget.open)}
    >
      <summary>
        {head}
        <ChevronRight className="fold-arrow" aria-hidden="true" />
      </summary>
      {(isOpen || isStatic) && children}
    </details>
  );
}
