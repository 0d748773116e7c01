import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { finished } from 'node:stream/promises';

/** Writes turns as the program does: a prompt, a reply with a tool, its long result twice, and an answer. */
export async function writeGeminiTranscript(path: string, bytes: number): Promise<void> {
  const file = createWriteStream(path);
  const write = async (records: readonly object[]): Promise<number> => {
    const text = `${records.map((record) => JSON.stringify(record)).join('\n')}\n`;
    if (!file.write(text)) await once(file, 'drain');
    return Buffer.byteLength(text);
  };
  let written = await write([
    { sessionId: 'bench', projectHash: 'p', startTime: at(0), kind: 'main' },
  ]);
  for (let turn = 1; written < bytes; turn++) written += await write(turnRecords(turn));
  file.end();
  await finished(file);
}

function turnRecords(turn: number): object[] {
  const callId = `read_file__read_file_${turn}_0`;
  const output = `${turn}: ${'a line of the file that was read\n'.repeat(60)}`;
  const answer = { functionResponse: { id: callId, name: 'read_file', response: { output } } };
  const tokens = { input: 1100, output: 25, cached: 0, thoughts: 20, tool: 0, total: 1145 };
  const thoughts = [{ subject: 'Plan', description: 'Read the file first.', timestamp: at(turn) }];
  const message = {
    id: `m${turn}`,
    timestamp: at(turn),
    type: 'gemini',
    content: 'Let me read it.',
    thoughts,
    tokens,
    model: 'gemini-x',
  };
  const call = {
    id: callId,
    name: 'read_file',
    args: { file_path: 'a.txt' },
    result: [answer],
    status: 'success',
    timestamp: at(turn),
    resultDisplay: '',
  };
  const touched = { $set: { lastUpdated: at(turn) } };
  return [
    {
      id: `u${turn}`,
      timestamp: at(turn),
      type: 'user',
      content: [{ text: `Please read the file, step ${turn}` }],
    },
    touched,
    message,
    touched,
    { ...message, toolCalls: [call] },
    { id: `r${turn}`, timestamp: at(turn), type: 'user', content: [answer] },
    touched,
    {
      id: `n${turn}`,
      timestamp: at(turn),
      type: 'gemini',
      content: 'It has many lines. '.repeat(20),
      thoughts: [],
      tokens,
      model: 'gemini-x',
    },
    touched,
  ];
}

function at(turn: number): string {
  return new Date(1_790_000_000_000 + turn * 1000).toISOString();
}
