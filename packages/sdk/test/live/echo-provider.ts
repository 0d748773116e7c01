import { createAssistantMessage, type Provider } from '@robota-sdk/agent-core';

/** Says back what it was asked; "wait" ends only by an abort, "touch" wants to run a command. */
export function echo(): Provider {
  return {
    name: 'echo',
    async chat(messages, { onTextDelta, signal } = {}) {
      const prompt = String(messages.findLast(({ role }) => role === 'user')?.content ?? '');
      if (messages.at(-1)?.role === 'tool') return createAssistantMessage('Done.');
      if (prompt.includes('touch')) return createAssistantMessage(null, { toolCalls: [TOUCH] });
      onTextDelta?.('You said ');
      if (prompt.includes('wait')) {
        await new Promise<void>((resolve) => signal?.addEventListener('abort', () => resolve()));
        return { ...createAssistantMessage('You said '), state: 'interrupted' };
      }
      onTextDelta?.(prompt);
      return createAssistantMessage(`You said ${prompt}`);
    },
  };
}

const TOUCH = {
  id: 'touch-1',
  type: 'function' as const,
  function: { name: 'Bash', arguments: JSON.stringify({ command: 'touch it' }) },
};
