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

it('does not exit with 0 when the session could not be saved, and says what to do', async () => {
  const [written, notes]: [string[], string[]] = [[], []];
  const cause = Object.assign(new Error('ENOSPC: no space left on device'), { code: 'ENOSPC' });
  const sessionStore = {
    save() {
      throw cause;
    },
    load: () => undefined,
    list: () => [],
    delete() {},
  };
  const transport = createHeadlessTransport({
    prompt: 'hello',
    output: { write: (text: string) => written.push(text) },
    notes: { write: (text: string) => notes.push(text) },
  });
  place.session({ sessionStore }).attachTransport(transport);

  await transport.start();

  expect(transport.getExitCode()).toBe(1);
  expect(written).toEqual(['You said hello\n']);
  expect(notes.join('')).toMatch(/^robota: .* the disk is full; free some space \(ENOSPC\)\n$/);
});

it.each([
  [true, 'You said \u241b[2J\n'],
  [false, 'You said \u001b[2J\n'],
])('lets nothing steer a terminal, and changes nothing else (%s)', async (isTTY, expected) => {
  const written: string[] = [];
  const output = { isTTY, write: (text: string) => written.push(text) };
  const transport = createHeadlessTransport({ prompt: '\u001b[2J', output });
  place.session().attachTransport(transport);

  await transport.start();

  expect(written).toEqual([expected]);
});
