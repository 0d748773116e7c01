import { createHeadlessTransport } from '@robota-sdk/agent-transport/headless';
import { expect, it } from 'vitest';
import { usePlace } from '../support/place.ts';

const place = usePlace();

it('writes the answer and knows the exit code', async () => {
  const written: string[] = [];
  const output = { write: (text: string) => written.push(text) };
  const transport = createHeadlessTransport({ prompt: 'hello', output });
  place.session().attachTransport(transport);

  await transport.start();

  expect([transport.name, transport.getExitCode()]).toEqual(['headless', 0]);
  expect(written).toEqual(['You said hello\n']);
});

it('needs a session before it starts', async () => {
  await expect(createHeadlessTransport().start()).rejects.toThrow(
    'No session attached. Call attach() first.',
  );
});
