import { type ReactNode, useEffect, useRef } from 'react';

interface OverlayProps {
  readonly label: string;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

/** A modal dialog. The browser traps the focus and restores it afterwards. */
export function Overlay({ label, onClose, children }: OverlayProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const element = dialog.current;
    if (element && !element.open) element.showModal();
    return () => element?.close();
  }, []);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the browser closes a dialog with Escape, which is `onCancel`.
    <dialog
      ref={dialog}
      className="overlay"
      aria-label={label}
      onCancel={onClose}
      onClick={(event) => {
        if (event.target === event.currentTarget) onClose();
      }}
    >
      {children}
    </dialog>
  );
}
