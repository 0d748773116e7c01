import { writeSync } from 'node:fs';
import { createAssistantMessage, type Message, type Provider } from '@robota-sdk/agent-core';
import { FileSessionLogger, Session, SessionStore } from '@robota-sdk/agent-session';

/**
 * Works in a loop of prompts, streamed answers and tools until somebody kills it, and says on stdout what it
 * has done so far: `answered <n>` once a run is over, `running <n>` once a tool has begun its work. With `tell` it
 * says `told <n>` for every entry a listener hears of, pieces of text apart.
 */
const [directory = '', tells = ''] = process.argv.slice(2);
let asked = 0;
let steps = 0;

const provider: Provider = {
  name: 'looping',
  async chat(messages, options = {}): Promise<Message> {
    asked += 1;
    if (messages.at(-1)?.role === 'tool') {
      for (const delta of ['All ', 'done ', `${asked}.`]) {
        options.onTextDelta?.(delta);
        await new Promise(setImmediate);
      }
      return createAssistantMessage(`All done ${asked}.`);
    }
    const toolCalls = [1, 2].map((number) => ({
      id: `call_${asked}_${number}`,
      type: 'function' as const,
      function: { name: 'Step', arguments: '{}' },
    }));
    return createAssistantMessage('I will.', { toolCalls });
  },
};

const session = new Session({
  provider,
  systemMessage: 'You help.',
  sessionId: 's1',
  permissionMode: 'bypassPermissions',
  sessionLogger: new FileSessionLogger(directory),
  sessionStore: new SessionStore(directory),
  onEntry({ n, event }) {
    if (tells === 'tell' && !event.endsWith('delta')) writeSync(1, `told ${n}\n`);
  },
  tools: [
    {
      schema: {
        name: 'Step',
        description: 'A step.',
        parameters: { type: 'object', properties: {} },
      },
      async execute() {
        steps += 1;
        process.stdout.write(`running ${steps}\n`);
        await new Promise(setImmediate);
        return { success: true, data: 'x'.repeat(2000) };
      },
    },
  ],
  terminal: {
    write() {},
    writeLine() {},
    writeMarkdown() {},
    writeError() {},
    prompt: async () => '',
    select: async () => 0,
    spinner: () => ({ stop() {}, update() {} }),
  },
});

for (let turn = 1; turn <= 10_000; turn++) {
  await session.run(`Prompt ${turn}`);
  process.stdout.write(`answered ${turn}\n`);
}
