import { createRedactor, type Redactor } from '@robota-sdk/agent-core/log';

const REDACTOR = createRedactor();
let marked: { readonly mark: string; readonly redactor: Redactor } | undefined;

/**
 * Makes a value safe to show: values of secret names become `redactedValue`, secrets in text `[REDACTED:<kind>]`.
 * Accepts any value; one without secrets is returned unchanged, not copied.
 */
export function redact<Value>(value: Value, redactedValue?: string): Value {
  if (redactedValue === undefined) return REDACTOR.redactValue(value);
  if (marked?.mark !== redactedValue) {
    marked = { mark: redactedValue, redactor: createRedactor({ mark: redactedValue }) };
  }
  return marked.redactor.redactValue(value);
}

/** Replaces the secrets in a text. */
export function redactText(text: string): string {
  return REDACTOR.redactText(text);
}
