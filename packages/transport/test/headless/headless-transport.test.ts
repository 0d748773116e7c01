import { PassThrough, Readable } from 'node:stream';
import { createHeadlessTransport } from '@robota-sdk/agent-transport/headless';
import { expect, it } from 'vitest';
import { usePlace } from '../support/place.ts';

const place = usePlace();

it('writes the answer and sets the exit code', async () => {
  const written: string[] = [];
  const output = { write: (text: string) => written.push(text) };
  const transport = createHeadlessTransport({ prompt: 'hello', output });
  place.session().attachTransport(transport);

  await transport.start();

  expect([transport.name, transport.getExitCode()]).toEqual(['headless', 0]);
  expect(written).toEqual(['You said hello\n']);
});

it('cannot start without a session', async () => {
  await expect(createHeadlessTransport().start()).rejects.toThrow(
    'No session attached. Call attach() first.',
  );
});

it('exits with an error and a hint when the session could not be saved', async () => {
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
])('neutralises escape sequences only for a terminal (%s)', async (isTTY, expected) => {
  const written: string[] = [];
  const output = { isTTY, write: (text: string) => written.push(text) };
  const transport = createHeadlessTransport({ prompt: '\u001b[2J', output });
  place.session().attachTransport(transport);

  await transport.start();

  expect(written).toEqual([expected]);
});

/** Runs a conversation over the chunks and returns its lines and exit code. */
async function converse(chunks: Iterable<Uint8Array | string>) {
  const lines: { type: string; subtype?: string; result?: string; permission_denials?: unknown }[] =
    [];
  const transport = createHeadlessTransport({
    outputFormat: 'stream-json',
    input: Readable.from(chunks),
    output: { write: (text: string) => lines.push(JSON.parse(text)) },
  });
  const session = place.session();
  session.attachTransport(transport);
  await transport.start();
  const results = lines.filter(({ type }) => type === 'result');
  return { lines, results, session, exitCode: transport.getExitCode() };
}

const prompt = (content: string) =>
  `${JSON.stringify({ type: 'user', message: { role: 'user', content } })}\n`;

it('denies a question that nobody can answer any more, because the input has ended', async () => {
  const { results, exitCode } = await converse([prompt('touch')]);

  expect(results).toMatchObject([
    { subtype: 'success', permission_denials: [{ tool_name: 'Bash' }] },
  ]);
  expect(exitCode).toBe(0);
});

it('ends an open conversation when it is stopped, and asks nothing that was waiting', async () => {
  const lines: { type: string; subtype?: string }[] = [];
  const input = new PassThrough();
  const transport = createHeadlessTransport({
    outputFormat: 'stream-json',
    input,
    output: { write: (text: string) => lines.push(JSON.parse(text)) },
  });
  const session = place.session();
  session.attachTransport(transport);
  const ended = transport.start();
  input.write(prompt('wait') + prompt('not asked'));
  await place.provider.waiting();

  await transport.stop();
  await ended;

  expect(lines.filter(({ type }) => type === 'result')).toMatchObject([{ subtype: 'interrupted' }]);
  expect([transport.getExitCode(), session.getQueue()]).toEqual([130, []]);
  expect(JSON.stringify(lines)).not.toContain('not asked');
});

it('reads a long line at a cost that grows with its length, however it arrives', async () => {
  const measure = async (megabytes: number) => {
    const bytes = Buffer.from(prompt(`nothing ${'x'.repeat(megabytes * 1024 * 1024)}`));
    const chunks = Array.from({ length: Math.ceil(bytes.length / 8192) }, (_, index) =>
      bytes.subarray(index * 8192, (index + 1) * 8192),
    );
    const before = process.cpuUsage();
    const { results } = await converse(['{"type":"abort"}\n', ...chunks]);
    const { user, system } = process.cpuUsage(before);
    expect(results).toHaveLength(1);
    return user + system;
  };
  await measure(1);

  const [short, long] = [await measure(2), await measure(16)];

  // Reading the whole line again with every chunk would cost 64 times as much.
  expect(long / short).toBeLessThan(24);
});

it('reports lines that are not UTF-8 or not understood, and fails when nothing was asked', async () => {
  const broken = Buffer.concat([
    Buffer.from(prompt('a')).subarray(0, -5),
    Buffer.from([0xff, 0x0a]),
  ]);
  const only = await converse([broken, 'garbage\n']);
  const mixed = await converse([broken, prompt('hello'), '\ufeff', prompt('again').trimEnd()]);

  expect(only.results).toMatchObject([
    { subtype: 'error', result: 'Input line is not UTF-8.' },
    { subtype: 'error', result: 'Input line is not JSON.' },
  ]);
  expect([only.exitCode, only.session.getMessageCount()]).toEqual([1, 0]);
  expect(mixed.results.map(({ result }) => result)).toEqual([
    'Input line is not UTF-8.',
    'You said hello',
    'You said again',
  ]);
  expect(mixed.exitCode).toBe(0);
});
