import type {
  ContextWindowState,
  ServerToolUseCallback,
  ToolParameters,
} from '@robota-sdk/agent-core';
import {
  type Entry,
  isDenied,
  resultText,
  type ToolResultFields,
} from '@robota-sdk/agent-core/log';
import type { Notice } from './lifecycle-hooks.ts';
import { redactText } from './log/redact.ts';
import type { ToolExecutionCallback } from './permissions/tool-execution-event.ts';
import type { CompactEvent, SessionOptions } from './session-options.ts';

/**
 * Calls spec 000's callbacks for entries after they were written. A failing callback never interrupts a run; it is
 * reported once.
 */
export class SessionCallbacks {
  readonly #options: SessionOptions;
  readonly #calls = new Map<string, { readonly toolArgs: ToolParameters; isStarted: boolean }>();
  readonly #failed = new Set<string>();

  constructor(options: SessionOptions) {
    this.#options = options;
  }

  /** Reports a notice that is not in the log, such as a problem with the log itself. */
  notice(notice: Notice): void {
    const { onNotice } = this.#options;
    try {
      onNotice?.({ ...notice, message: redactText(notice.message) });
    } catch {
      // The notice callback itself failed, so there is nobody to report to.
    }
  }

  readonly handle = (entry: Entry): void => {
    try {
      this.#options.onEntry?.(entry);
    } catch (error) {
      this.#report('onEntry', error);
    }
    if (entry.event === 'provider_stream_raw_delta') this.#text(entry);
    else if (entry.thread === undefined) this.#dispatch(entry);
  };

  /** A fast path, because there are thousands of text deltas. */
  #text({ thread, delta }: Entry): void {
    const { onTextDelta } = this.#options;
    if (thread !== undefined || onTextDelta === undefined) return;
    try {
      onTextDelta(String(delta));
    } catch (error) {
      this.#report('onTextDelta', error);
    }
  }

  #dispatch(entry: Entry): void {
    const { onThinkingDelta, onServerToolUse, onCompactEvent, onCompact } = this.#options;
    switch (entry.event) {
      case 'provider_thinking_delta':
        this.#call('onThinkingDelta', () => onThinkingDelta?.(String(entry.delta)));
        break;
      case 'server_tool':
        this.#serverTool(entry, onServerToolUse);
        break;
      case 'context':
        this.#context(entry);
        break;
      case 'context_compact':
        this.#call('onCompactEvent', () => onCompactEvent?.(compactEvent(entry)));
        this.#call('onCompact', () => onCompact?.(String(entry.summary ?? '')));
        break;
      case 'notice':
        this.notice(noticeOf(entry));
        break;
      default:
        if (this.#options.onToolExecution) this.#tool(entry, this.#options.onToolExecution);
    }
  }

  #context(entry: Entry): void {
    const { n: _n, time: _time, event: _event, ...state } = entry;
    this.#call('onContextUpdate', () =>
      this.#options.onContextUpdate?.(state as unknown as ContextWindowState),
    );
  }

  #serverTool({ tool, input }: Entry, callback: ServerToolUseCallback | undefined): void {
    this.#call('onServerToolUse', () =>
      callback?.(String(tool), (input ?? {}) as Readonly<Record<string, unknown>>),
    );
  }

  /** A call that never reached its tool gets start and end with its result. */
  #tool(entry: Entry, callback: ToolExecutionCallback): void {
    const toolCallId = String(entry.toolCallId);
    if (entry.event === 'tool_execution_request') {
      const toolArgs = entry.parameters as ToolParameters;
      this.#calls.set(toolCallId, { toolArgs, isStarted: false });
    }
    if (entry.event === 'tool_call') {
      const toolArgs = (entry.input ?? {}) as ToolParameters;
      this.#calls.set(toolCallId, { toolArgs, isStarted: true });
      const toolName = String(entry.tool);
      this.#call('onToolExecution', () =>
        callback({ type: 'start', toolName, toolArgs, toolCallId }),
      );
    }
    if (entry.event === 'tool_execution_result') this.#toolEnd(entry, callback);
  }

  #toolEnd(entry: Entry, callback: ToolExecutionCallback): void {
    const toolCallId = String(entry.toolCallId);
    const toolName = String(entry.toolName);
    const { toolArgs = {}, isStarted = false } = this.#calls.get(toolCallId) ?? {};
    this.#calls.delete(toolCallId);
    const { errorCode, error } = entry;
    const call = { toolName, toolArgs, toolCallId };
    this.#call('onToolExecution', () => {
      if (!isStarted) callback({ type: 'start', ...call });
      callback({
        type: 'end',
        ...call,
        success: entry.success === true,
        ...(isDenied(errorCode) && { denied: true }),
        ...(typeof errorCode === 'string' && { errorCode }),
        ...(typeof error === 'string' && { reason: error }),
        toolResultData: resultText(entry as ToolResultFields),
      });
    });
  }

  #call(name: string, callback: () => unknown): void {
    try {
      const pending = callback();
      if (pending instanceof Promise) pending.catch((error: unknown) => this.#report(name, error));
    } catch (error) {
      this.#report(name, error);
    }
  }

  #report(name: string, error: unknown): void {
    if (this.#failed.has(name)) return;
    this.#failed.add(name);
    const message = `The callback ${name} failed: ${String(error)}`;
    this.notice({ level: 'warning', message });
  }
}

function noticeOf({ level, message, kind }: Entry): Notice {
  return {
    level: level === 'warning' ? 'warning' : 'info',
    message: String(message),
    ...(typeof kind === 'string' && { kind }),
  };
}

function compactEvent({ trigger, before, after }: Entry): CompactEvent {
  return { trigger, before, after } as CompactEvent;
}
