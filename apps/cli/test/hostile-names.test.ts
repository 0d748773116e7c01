import { appendFileSync, mkdirSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { callsTool, says, startModelServer } from './support/model-server.ts';
import { createPlace, type Place, runRobota } from './support/run-robota.ts';

/** Clears the screen, sets the title, hides text, moves up, begins a string; also as C1 controls. */
const EVIL = '\u001b[2J\u001b]0;owned\u0007\u001b[8m\u009b2J\u009d0;x\u009c\r\u0008';
const ID = '7d1e0a52-0000-4000-8000-000000000001';
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for.
const CONTROLS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/;

let place: Place;

beforeEach(() => {
  place = createPlace();
});

afterEach(() => {
  place[Symbol.dispose]();
});

function writeTranscript(): void {
  const path = join(place.home, '.claude/projects/-home-ada-atlas', `${ID}.jsonl`);
  mkdirSync(dirname(path), { recursive: true });
  const head = (index: number) => ({
    parentUuid: index === 0 ? null : `u${index - 1}`,
    uuid: `u${index}`,
    isSidechain: false,
    userType: 'external',
    cwd: `/home/ada/atlas${EVIL}`,
    sessionId: ID,
    version: '2.1.325',
    gitBranch: `main${EVIL}`,
    timestamp: new Date(Date.now() - 5000 + index).toISOString(),
  });
  const assistant = (content: object[], index: number) => ({
    ...head(index),
    type: 'assistant',
    requestId: `r${index}`,
    message: {
      id: `m${index}`,
      type: 'message',
      role: 'assistant',
      model: `claude-sonnet-4-5${EVIL}`,
      content,
      stop_reason: 'end_turn',
      usage: { input_tokens: 10, output_tokens: 2 },
    },
  });
  const result = { type: 'tool_result', tool_use_id: 't1', content: `printed ${EVIL}` };
  const lines = [
    { ...head(0), type: 'user', message: { role: 'user', content: `needle ${EVIL} title` } },
    assistant(
      [{ type: 'tool_use', id: 't1', name: `Bash${EVIL}`, input: { command: `ls ${EVIL}` } }],
      1,
    ),
    { ...head(2), type: 'user', message: { role: 'user', content: [result] } },
    assistant(
      [
        {
          type: 'tool_use',
          id: 't2',
          name: 'Write',
          input: { file_path: `/a${EVIL}.ts`, content: EVIL },
        },
      ],
      3,
    ),
    assistant([{ type: 'text', text: `needle answered ${EVIL}` }], 4),
    { type: 'custom-title', customTitle: `needle ${EVIL} named`, sessionId: ID },
    { type: 'summary', summary: `needle ${EVIL}`, leafUuid: 'u4' },
  ];
  appendFileSync(path, `${lines.map((line) => JSON.stringify(line)).join('\n')}\n`);
}

describe('names and words that steer a terminal', () => {
  it.each([
    [['sessions', '--all']],
    [['sessions', 'show', ID]],
    [['sessions', 'export', ID, '--format', 'md']],
    [['sessions', 'export', ID, '--format', 'html']],
    [['search', 'needle', '--all']],
    [['usage', '--all']],
    [['replay', ID]],
    [['log', ID]],
  ])('%j writes none of it', async (args) => {
    writeTranscript();

    const { code, stdout, stderr } = await runRobota(place, args);

    const isUsage = ['usage', 'replay', 'log'].includes(args[0] ?? '');
    if (!isUsage) expect(code).toBe(0);
    const lines = `${stdout}\n${stderr}`.split('\n').filter((line) => CONTROLS.test(line));
    expect(lines.map((line) => JSON.stringify(line))).toEqual([]);
  });

  it('a tool, a model and a file of our own sessions steer nothing either', async () => {
    await using server = await startModelServer(
      callsTool('call_1', `Evil${EVIL}`, { path: EVIL }),
      callsTool('call_2', 'Read', { filePath: `no${EVIL}.txt` }),
      says(`done ${EVIL}`),
    );
    const env = { ANTHROPIC_API_KEY: 'k', ANTHROPIC_BASE_URL: server.url };
    await runRobota(place, ['-p', `hello ${EVIL}`, '--session-id', 'mine', '--name', `n${EVIL}`], {
      env,
    });
    const outputs = [
      ['sessions', '--all'],
      ['sessions', 'show', 'mine'],
      ['sessions', 'export', 'mine', '--format', 'md'],
      ['sessions', 'export', 'mine', '--format', 'html'],
      ['search', 'hello'],
      ['log', 'mine'],
      ['replay', 'mine'],
      ['usage'],
    ];

    const found: string[] = [];
    for (const args of outputs) {
      const { stdout, stderr, code } = await runRobota(place, args);
      if (code !== 0) found.push(`${args.join(' ')}: ${stderr}`);
      for (const line of `${stdout}\n${stderr}`.split('\n')) {
        if (CONTROLS.test(line)) found.push(`${args.join(' ')}: ${JSON.stringify(line)}`);
      }
    }

    expect(found).toEqual([]);
    expect(readdirSync(place.project)).toEqual([]);
  });
});
