import { redactDeep, toPlainValue } from './redact-value.ts';
import type { NamedSecret } from './redactor.ts';

/** The values that a redactor replaces because of their names; texts are not scanned. */
export function findNamedSecrets(value: unknown): NamedSecret[] {
  const found: NamedSecret[] = [];
  redactDeep(value, {
    redactText: (text) => text,
    hide(secret, path) {
      found.push({ path: [...path], value: toPlainValue(secret) });
      return '';
    },
  });
  return found;
}
