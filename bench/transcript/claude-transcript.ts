import { once } from 'node:events';
import { createWriteStream } from 'node:fs';

const SESSION = '00000000-0000-4000-8000-00000000beef';

/** Writes a Claude Code session of about `bytes` bytes: turns with thinking, text, two tools at once and their results. */
export async function writeClaudeTranscript(path: string, bytes: number): Promise<void> {
  const out = createWriteStream(path);
  let written = 0;
  let parent: string | null = null;
  for (let turn = 0; written < bytes; turn++) {
    const lines: string[] = turnLines(turn, parent);
    parent = `t${turn}-done`;
    const text = `${lines.join('\n')}\n`;
    written += Buffer.byteLength(text);
    if (!out.write(text)) await once(out, 'drain');
  }
  out.end();
  await once(out, 'finish');
}

function turnLines(turn: number, parent: string | null): string[] {
  const id = (part: string) => `t${turn}-${part}`;
  const message = (block: object) => ({
    id: `msg_${turn}`,
    type: 'message',
    role: 'assistant',
    model: 'claude-opus-5-5',
    content: [block],
    stop_reason: 'tool_use',
    usage: { input_tokens: 10, output_tokens: 33, cache_read_input_tokens: 5000 },
  });
  const output = `line ${turn} of the output, as long as such lines are\n`.repeat(40);
  const result = (tool: string, asked: string) => ({
    type: 'user',
    message: {
      role: 'user',
      content: [{ type: 'tool_result', tool_use_id: id(tool), content: output }],
    },
    toolUseResult: { stdout: output, stderr: '', interrupted: false, isImage: false },
    sourceToolAssistantUUID: asked,
  });
  const rows: [string, string | null, object][] = [
    [id('user'), parent, { type: 'user', message: { role: 'user', content: `Do step ${turn}.` } }],
    [
      id('note'),
      id('user'),
      { type: 'attachment', attachment: { type: 'date', date: '2026-11-15' } },
    ],
    [
      id('think'),
      id('note'),
      { type: 'assistant', message: message({ type: 'thinking', thinking: 'x'.repeat(300) }) },
    ],
    [
      id('text'),
      id('think'),
      { type: 'assistant', message: message({ type: 'text', text: 'word '.repeat(80) }) },
    ],
    [
      id('use1'),
      id('text'),
      {
        type: 'assistant',
        message: message({ type: 'tool_use', id: id('a'), name: 'Bash', input: { command: 'ls' } }),
      },
    ],
    [
      id('use2'),
      id('use1'),
      {
        type: 'assistant',
        message: message({
          type: 'tool_use',
          id: id('b'),
          name: 'Read',
          input: { file_path: '/x' },
        }),
      },
    ],
    [id('res1'), id('use1'), result('a', id('use1'))],
    [id('res2'), id('use2'), result('b', id('use2'))],
    [
      id('done'),
      id('res2'),
      {
        type: 'assistant',
        message: { ...message({ type: 'text', text: 'Done.' }), id: `msg_${turn}_end` },
      },
    ],
  ];
  return rows.map(([uuid, parentUuid, fields]) =>
    JSON.stringify({
      parentUuid,
      isSidechain: false,
      userType: 'external',
      cwd: '/home/tester/proj',
      sessionId: SESSION,
      version: '2.1.325',
      gitBranch: 'main',
      ...fields,
      uuid,
      timestamp: new Date(1_790_000_000_000 + turn * 1000).toISOString(),
    }),
  );
}
