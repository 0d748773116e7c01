import { ArrowLeft } from 'lucide-react';
import type { ReactNode } from 'react';

interface PageTitleProps {
  readonly title: string;
  /** The line below the title. */
  readonly facts: ReactNode;
  readonly children?: ReactNode;
}

/** The head of a page; on narrow screens, with a link back to the list. */
export function PageTitle({ title, facts, children }: PageTitleProps) {
  return (
    <header className="page-head">
      <a className="icon-button page-back" href="/" aria-label="All sessions">
        <ArrowLeft aria-hidden="true" />
      </a>
      <div className="grow">
        <h1>{title}</h1>
        <p className="dim">{facts}</p>
      </div>
      {children}
    </header>
  );
}
