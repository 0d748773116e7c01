import { createAnthropic } from '@ai-sdk/anthropic';
import { createUserMessage } from '@robota-sdk/agent-core';
import { AnthropicProvider } from '@robota-sdk/agent-provider/anthropic';
import { type BenchRow, ratioOf } from '../harness.ts';
import { anthropicStream, fetchOf } from './wire.ts';

const DELTAS = 5000;
const MODEL = 'claude-sonnet-4-5';
const fetch = fetchOf(anthropicStream(DELTAS));

/** Reads the provider package's stream to the end. */
async function packageAlone(): Promise<void> {
  const model = createAnthropic({ apiKey: 'key', baseURL: 'http://bench.test/v1', fetch })(MODEL);
  const { stream } = await model.doStream({
    prompt: [{ role: 'user', content: [{ type: 'text', text: 'hi' }] }],
    maxOutputTokens: 100,
  });
  const reader = stream.getReader();
  while (!(await reader.read()).done);
}

const provider = new AnthropicProvider({
  apiKey: 'key',
  baseURL: 'http://bench.test',
  model: MODEL,
  environment: {},
  fetch,
});

/** Our provider with every listener a session attaches. */
async function ours(): Promise<number> {
  let received = 0;
  await provider.chat([createUserMessage('hi')], {
    maxTokens: 100,
    onTextDelta: (delta) => {
      received += delta.length;
    },
    onProviderNativeRawPayload: () => {
      received += 1;
    },
  });
  return received;
}

export const rows: readonly BenchRow[] = [
  {
    name: `${DELTAS} streamed deltas through the anthropic provider, against its package alone`,
    unit: 'x',
    target: 3,
    measure: () => ratioOf(ours, packageAlone),
  },
];
