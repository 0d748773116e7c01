import type { SessionNotice } from './lifecycle-hooks.ts';
import { redactText } from './log/redact.ts';
import type { SessionOptions } from './session-options.ts';

const GUARDED = [
  'onTextDelta',
  'onThinkingDelta',
  'onToolCallDelta',
  'onServerToolUse',
  'onToolExecution',
  'onContextUpdate',
  'onCompact',
  'onCompactEvent',
  'onEngineEvent',
  'onProjectGrant',
] as const;

type AnyCallback = (...values: unknown[]) => unknown;

/** The same options with listeners that cannot disturb a run: one that fails is told of, once. */
export function guardCallbacks(options: SessionOptions): SessionOptions {
  const failed = new Set<string>();
  const onNotice = (notice: SessionNotice): void => {
    try {
      options.onNotice?.({ ...notice, message: redactText(notice.message) });
    } catch {
      // Whoever should be told is the one who failed.
    }
  };
  const report = (name: string, error: unknown): void => {
    if (failed.has(name)) return;
    failed.add(name);
    onNotice({ level: 'warning', message: `The callback ${name} failed: ${String(error)}` });
  };
  const guarded: Record<string, AnyCallback> = {};
  for (const name of GUARDED) {
    const callback = options[name] as AnyCallback | undefined;
    if (callback) guarded[name] = guard(callback, (error) => report(name, error));
  }
  return { ...options, ...guarded, onNotice };
}

function guard(callback: AnyCallback, onError: (error: unknown) => void): AnyCallback {
  return (...values) => {
    try {
      const result = callback(...values);
      return result instanceof Promise ? result.catch(onError) : result;
    } catch (error) {
      onError(error);
      return undefined;
    }
  };
}
