// One question, one answer. Runs offline with a provider of ten lines.
import assert from 'node:assert/strict';
import { createAssistantMessage, type Provider } from '@robota-sdk/agent-core';
import { createQuery } from '@robota-sdk/agent-sdk';

const provider: Provider = {
  name: 'parrot',
  chat(messages, options) {
    const answer = `You said: ${messages.at(-1)?.content ?? ''}`;
    for (const word of answer.split(/(?<= )/)) options?.onTextDelta?.(word);
    return Promise.resolve(createAssistantMessage(answer));
  },
};

const query = createQuery({ provider });
const answer = await query('Hello!', { onTextDelta: (delta) => process.stdout.write(delta) });

assert.equal(answer, 'You said: Hello!');
console.log('\nok');
