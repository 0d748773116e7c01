import { createAssistantMessage, type Message, type Provider } from '@robota-sdk/agent-core';

export interface EchoProvider extends Provider {
  /** Lets a waiting model finish its answer. */
  release(): void;
  /** Resolves when a waiting model has streamed its first text. */
  waiting(): Promise<void>;
}

/**
 * A model that repeats its prompt in two chunks. The prompt "wait" pauses after the first chunk; "touch" makes it call
 * a tool.
 */
export function echoProvider(): EchoProvider {
  const gates: (() => void)[] = [];
  let hasStarted: () => void = () => undefined;
  let started = new Promise<void>((resolve) => {
    hasStarted = resolve;
  });
  return {
    name: 'echo',
    async chat(messages, { onTextDelta, signal } = {}) {
      const prompt = lastPrompt(messages);
      if (messages.at(-1)?.role === 'tool') return createAssistantMessage('The tool has answered.');
      if (prompt.includes('touch')) return createAssistantMessage(null, { toolCalls: [TOUCH] });
      onTextDelta?.('You said ');
      if (prompt.includes('wait')) {
        const gate = new Promise<void>((resolve) => gates.push(resolve));
        hasStarted();
        await Promise.race([gate, aborted(signal)]);
      }
      if (signal?.aborted) return { ...createAssistantMessage('You said '), state: 'interrupted' };
      onTextDelta?.(prompt);
      return createAssistantMessage(`You said ${prompt}`, {
        metadata: { inputTokens: 10, outputTokens: 3 },
      });
    },
    release() {
      for (const open of gates.splice(0)) open();
      started = new Promise<void>((resolve) => {
        hasStarted = resolve;
      });
    },
    waiting: () => started,
  };
}

const TOUCH = {
  id: 'touch-1',
  type: 'function' as const,
  function: { name: 'Bash', arguments: JSON.stringify({ command: 'touch it' }) },
};

function lastPrompt(messages: readonly Message[]): string {
  return String(messages.findLast(({ role }) => role === 'user')?.content ?? '');
}

function aborted(signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => signal?.addEventListener('abort', () => resolve()));
}
