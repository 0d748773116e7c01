import { useEffect, useRef } from 'react';

export type KeyActions = Readonly<Record<string, () => void>>;

/** All page keys, as listed in the help. */
export const KEY_TABLE: readonly { readonly keys: string; readonly does: string }[] = [
  { keys: 'Ctrl K or /', does: 'search every session, go anywhere' },
  { keys: 'c', does: 'new session' },
  { keys: 'j k', does: 'next and previous prompt' },
  { keys: '] [', does: 'next and previous session' },
  { keys: 'Enter', does: 'open or close the focused block' },
  { keys: 't', does: 'show or hide thinking' },
  { keys: 'o', does: 'outline' },
  { keys: 'f', does: 'find in this session' },
  { keys: 'p', does: 'go to the question' },
  { keys: 'Ctrl Enter', does: 'allow once, while the question has the focus' },
  { keys: 'g u', does: 'usage' },
  { keys: 'g s', does: 'settings and trust' },
  { keys: 'Esc', does: 'stop, or close what is open' },
  { keys: '?', does: 'this help' },
];

const TEXT_FIELDS = 'input, textarea, select, [contenteditable]';
/** How long `g` waits for the next key. */
const CHORD_MS = 800;

/** Runs an action when its key is pressed outside text fields; `g u` means `u` shortly after `g`. */
export function usePageKeys(actions: KeyActions): void {
  const current = useRef(actions);
  useEffect(() => {
    current.current = actions;
  });
  useEffect(() => {
    let chordUntil = 0;
    const onKey = (event: KeyboardEvent) => {
      if (isForSomethingElse(event)) return;
      const isChord = performance.now() < chordUntil;
      chordUntil = !isChord && event.key === 'g' ? performance.now() + CHORD_MS : 0;
      const action = current.current[isChord ? `g ${event.key}` : event.key];
      if (!action) return;
      event.preventDefault();
      action();
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, []);
}

/** Ignores typing, input method composition and the browser's own shortcuts. */
function isForSomethingElse(event: KeyboardEvent): boolean {
  if (event.defaultPrevented || event.isComposing) return true;
  if (event.ctrlKey || event.metaKey || event.altKey) return true;
  return event.target instanceof Element && event.target.closest(TEXT_FIELDS) !== null;
}
