import { ArrowLeft } from 'lucide-react';
import type { ReactNode } from 'react';

interface PageTitleProps {
  readonly title: string;
  /** A line below it. */
  readonly facts: ReactNode;
  readonly children?: ReactNode;
}

/** The head of a page beside the list; where the list is a page of its own, with the way back to it. */
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
