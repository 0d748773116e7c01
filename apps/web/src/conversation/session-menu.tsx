import { Ellipsis } from 'lucide-react';
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react';

export interface MenuEntry {
  readonly label: string;
  readonly onChoose: () => void;
  /** Starts a new group. */
  readonly isFirst?: boolean | undefined;
  /** Needs a second click to confirm. */
  readonly isFinal?: boolean | undefined;
}

/** The menu of further session actions. */
export function SessionMenu({ entries }: { readonly entries: readonly MenuEntry[] }) {
  const [isOpen, setOpen] = useState(false);
  const [asked, setAsked] = useState<string>();
  const menu = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const id = useId();
  useEffect(() => {
    if (!isOpen) return;
    menu.current?.querySelector('button')?.focus();
    const close = (event: Event) => {
      if (!menu.current?.contains(event.target as Node)) setOpen(false);
    };
    document.addEventListener('pointerdown', close);
    return () => document.removeEventListener('pointerdown', close);
  }, [isOpen]);
  const close = () => {
    setOpen(false);
    setAsked(undefined);
    button.current?.focus();
  };
  const choose = (entry: MenuEntry) => {
    if (entry.isFinal && asked !== entry.label) {
      setAsked(entry.label);
      return;
    }
    close();
    entry.onChoose();
  };
  return (
    <div className="menu-place">
      <button
        ref={button}
        type="button"
        className="icon-button"
        aria-label="More"
        aria-haspopup="menu"
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={() => setOpen(!isOpen)}
      >
        <Ellipsis aria-hidden="true" />
      </button>
      {isOpen && (
        <div
          ref={menu}
          id={id}
          className="menu"
          role="menu"
          tabIndex={-1}
          onKeyDown={(event) => onMenuKey(event, close)}
        >
          {entries.map((entry) => (
            <button
              key={entry.label}
              type="button"
              role="menuitem"
              className={`${entry.isFinal ? 'bad' : ''} ${entry.isFirst ? 'menu-first' : ''}`}
              onClick={() => choose(entry)}
            >
              {asked === entry.label ? `${entry.label}: press again` : entry.label}
            </button>
          ))}
        </div>
      )}
    </div>
  );
}

function onMenuKey(event: KeyboardEvent<HTMLDivElement>, close: () => void): void {
  if (event.key === 'Escape') {
    event.stopPropagation();
    close();
    return;
  }
  if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return;
  event.preventDefault();
  const items = [...event.currentTarget.querySelectorAll('button')];
  const at = items.indexOf(document.activeElement as HTMLButtonElement);
  const step = event.key === 'ArrowDown' ? 1 : -1;
  items[(at + step + items.length) % items.length]?.focus();
}
