import { appendFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { createAssistantMessage, type Provider, type Tool } from '@robota-sdk/agent-core';

import { strictProvider } from './strict-provider.ts';

const ROUNDS = 2;

/**
 * Speaks in pieces, asks for two calls at a time in each of two rounds, then ends. Leaves a line in `refusals` for a
 * request that a strict provider would refuse.
 */
export function scriptedAgent(refusals: string): Provider {
  return {
    name: 'scripted',
    async chat(messages, { onTextDelta, signal } = {}) {
      const refusal = strictProvider(messages);
      if (refusal !== undefined) appendFileSync(refusals, `${refusal}\n`);
      const asked = messages.findLastIndex(({ role }) => role === 'user');
      const prompt = String(messages[asked]?.content ?? '');
      const rounds = messages.slice(asked + 1).filter(({ role }) => role === 'assistant').length;
      let text = '';
      for (const word of ['one ', 'two ', 'three ']) {
        onTextDelta?.(word);
        text += word;
        await delay(2, undefined, { signal }).catch(() => undefined);
      }
      if (rounds >= ROUNDS) return createAssistantMessage(`${text}done with ${prompt}`);
      const toolCalls = ['a', 'b'].map((letter) => {
        const id = `${prompt}/${rounds}${letter}`;
        const args = JSON.stringify({ call: id });
        return { id, type: 'function' as const, function: { name: 'Mark', arguments: args } };
      });
      return createAssistantMessage(text, { toolCalls });
    },
  };
}

/** Leaves a line for every time it runs, and takes so many milliseconds. */
export function markTool(effects: string, ms: number): Tool {
  return {
    schema: {
      name: 'Mark',
      description: 'Leaves a mark',
      parameters: { type: 'object', properties: { call: { type: 'string' } } },
    },
    async execute({ call }, { signal }) {
      appendFileSync(effects, `${String(call)}\n`);
      await delay(ms, undefined, { signal }).catch(() => undefined);
      return { success: true, data: `marked ${String(call)}` };
    },
  };
}
