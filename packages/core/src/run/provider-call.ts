import { PendingReply } from '../conversation/pending-reply.ts';
import type { RoundScope } from '../engine-event.ts';
import type { Message } from '../messages/message.ts';
import type { ChatOptions, ProviderNativeRawPayload, ToolCallDelta } from '../provider.ts';
import { ProviderError } from '../provider-error.ts';
import { ABANDONED, untilAbandoned } from './abort-grace.ts';
import { IdleWatch } from './idle-watch.ts';
import type { Run } from './run.ts';

/** One attempt of a provider call, with everything that streams in. */
export class ProviderCall {
  readonly pending = new PendingReply();
  /** True once the user may have seen part of this reply; then it is not retried. */
  hasStreamed = false;
  readonly #run: Run;
  readonly #scope: RoundScope;
  readonly #stopper = new AbortController();
  #isOpen = true;

  /** If false, deltas are not reported and the call may always be retried. */
  readonly #isShown: boolean;

  constructor(run: Run, scope: RoundScope, { isShown }: { readonly isShown: boolean }) {
    this.#run = run;
    this.#scope = scope;
    this.#isShown = isShown;
  }

  /** The provider's reply; null if the run was aborted and the provider did not react in time. */
  async chat(messages: readonly Message[], options: ChatOptions): Promise<unknown> {
    const { signal, limits, provider } = this.#run;
    const stop = (): void => this.#stopper.abort(signal.reason);
    if (signal.aborted) stop();
    else signal.addEventListener('abort', stop, { once: true });
    let onIdle = (_error: Error): void => {};
    const idle = new Promise<never>((_resolve, reject) => {
      onIdle = reject;
    });
    const watch = new IdleWatch(limits.idleTimeoutMs, limits.clock, () => {
      const error = this.#idleError();
      this.#stopper.abort(error);
      onIdle(error);
    });
    try {
      const callOptions = { ...options, ...this.#callbacks(watch), signal: this.#stopper.signal };
      const work = Promise.race([startChat(() => provider.chat(messages, callOptions)), idle]);
      const { abortGraceMs: graceMs, clock } = limits;
      const reply = await untilAbandoned(work, { signal, graceMs, clock });
      return reply === ABANDONED ? null : reply;
    } finally {
      this.#isOpen = false;
      watch.stop();
      signal.removeEventListener('abort', stop);
    }
  }

  #callbacks(watch: IdleWatch): ChatOptions {
    const { options, events, provider } = this.#run;
    return {
      onTextDelta: this.#textCallback(watch),
      onThinkingDelta: this.#thinkingCallback(watch),
      onToolCallDelta: (delta: ToolCallDelta) => {
        if (!this.#isOpen) return;
        watch.isActive = true;
        this.hasStreamed = this.#isShown;
        if (this.#isShown) this.#notify(() => options.onToolCallDelta?.(delta));
      },
      onServerToolUse: (tool, input) => {
        if (!this.#isOpen) return;
        watch.isActive = true;
        this.hasStreamed = this.#isShown;
        events.emit({ type: 'server_tool', ...this.#scope, tool, input });
        this.#notify(() => (options.onServerToolUse ?? provider.onServerToolUse)?.(tool, input));
      },
      onProviderNativeRawPayload: (payload: ProviderNativeRawPayload) => {
        if (!this.#isOpen) return;
        watch.isActive = true;
        events.emit({ ...payload, ...this.#scope, type: 'provider_native_raw_payload' });
      },
    };
  }

  /** Runs for every text delta, so it creates no object without listeners. */
  #textCallback(watch: IdleWatch): (delta: string) => void {
    const { events, options } = this.#run;
    const { onTextDelta } = options;
    const { pending } = this;
    const { executionId, conversationId, round } = this.#scope;
    const hasListeners = events.hasListeners && this.#isShown;
    let sequence = 0;
    return (delta) => {
      watch.isActive = true;
      if (!this.#isOpen || delta === '') return;
      this.hasStreamed = this.#isShown;
      pending.append(delta);
      if (hasListeners) {
        const type = 'provider_stream_raw_delta';
        events.emit({ type, executionId, conversationId, round, sequence: sequence++, delta });
      }
      if (onTextDelta === undefined || !this.#isShown) return;
      try {
        onTextDelta(delta);
      } catch (error) {
        events.fail(error);
      }
    };
  }

  #thinkingCallback(watch: IdleWatch): (delta: string) => void {
    const { events, options } = this.#run;
    let sequence = 0;
    return (delta) => {
      watch.isActive = true;
      if (!this.#isOpen || delta === '') return;
      this.hasStreamed = this.#isShown;
      this.pending.appendThinking(delta);
      const type = 'provider_thinking_delta';
      if (!this.#isShown) return;
      if (events.hasListeners) events.emit({ type, ...this.#scope, sequence: sequence++, delta });
      this.#notify(() => options.onThinkingDelta?.(delta));
    };
  }

  /** A listener's error must not look like the provider's. */
  #notify(listener: () => void): void {
    try {
      listener();
    } catch (error) {
      this.#run.events.fail(error);
    }
  }

  #idleError(): ProviderError {
    const { provider, limits } = this.#run;
    return new ProviderError(`Provider call idle timeout after ${limits.idleTimeoutMs}ms`, {
      provider: provider.name,
      kind: 'idle_timeout',
      isRetryable: false,
    });
  }
}

/** A provider that throws synchronously fails like one that rejects. */
async function startChat(chat: () => Promise<Message>): Promise<Message> {
  return await chat();
}
