import { createRedactor, type Redactor } from '@robota-sdk/agent-core/log';

const REDACTOR = createRedactor();
let marked: { readonly mark: string; readonly redactor: Redactor } | undefined;

/**
 * The value as it may be shown to anybody: values of secret names become `redactedValue`, secrets in text
 * `[REDACTED:<kind>]`. Safe for any value; what holds no secret is returned as it was, not copied.
 */
export function redact<Value>(value: Value, redactedValue?: string): Value {
  if (redactedValue === undefined) return REDACTOR.redactValue(value);
  if (marked?.mark !== redactedValue) {
    marked = { mark: redactedValue, redactor: createRedactor({ mark: redactedValue }) };
  }
  return marked.redactor.redactValue(value);
}

/** A text with its secrets replaced. */
export function redactText(text: string): string {
  return REDACTOR.redactText(text);
}
