import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { examineTranscript, repairTranscript } from '@robota-sdk/agent-archive';
import { parseTranscripts } from '@robota-sdk/agent-transcript';
import { takeInventory } from '@robota-sdk/agent-transcript/architectures';
import { describe, expect, it } from 'vitest';
import { fillRecordedHome } from '../../../transcript/test/recorded-home.ts';
import {
  claudeLines,
  claudePath,
  codexHeader,
  codexPath,
  piHeader,
  piPath,
  temporaryHome,
  writeLines,
} from '../generated-home.ts';

const TURNS = [1, 2, 3].map((number) => ({
  id: `t${number}`,
  prompt: `Prompt ${number}`,
  answer: `Answer ${number}`,
  tool: { command: 'ls', output: 'a.txt' },
}));

function claudeFile(change: (lines: Record<string, unknown>[]) => object[]): {
  home: string;
  path: string;
} {
  const home = temporaryHome();
  const path = claudePath(home, 's1');
  writeLines(path, change(claudeLines(TURNS, { sessionId: 's1' }) as Record<string, unknown>[]));
  return { home, path };
}

function repaired(type: string, path: string, home: string) {
  const before = readFileSync(path);
  const result = repairTranscript({ type, path }, join(home, '.robota/repaired'));
  expect(readFileSync(path)).toEqual(before);
  const text = readFileSync(result?.path ?? '', 'utf8');
  const lines = text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
  expect(examineTranscript({ type, path: result?.path ?? '' })).toEqual([]);
  return { result, text, lines };
}

describe('a sound transcript', () => {
  it('has no faults and no repaired copy', () => {
    const { home, path } = claudeFile((lines) => lines);

    expect(examineTranscript({ type: 'claude-agent-sdk', path })).toEqual([]);
    expect(repairTranscript({ type: 'claude-agent-sdk', path }, join(home, 'out'))).toBeUndefined();
  });

  it('is every recording of every agent that ended in order', async () => {
    const home = temporaryHome();
    fillRecordedHome(home);
    const { families } = await takeInventory({ home, environment: {} });
    const kinds = families.flatMap((family) => examineTranscript(family).map(({ kind }) => kind));

    expect(
      kinds.filter((kind) => kind !== 'unanswered_call' && kind !== 'repeated_result'),
    ).toEqual([]);
  });
});

describe('a transcript of Claude Code', () => {
  it('with a line that is too long to be read loses that line and nothing else', () => {
    const { home, path } = claudeFile((lines) => lines);
    const whole = readFileSync(path, 'utf8').split('\n').filter(Boolean);
    appendFileSync(path, '{"type":"user","text":"');
    appendFileSync(path, Buffer.alloc(1 << 27, 'a'));
    appendFileSync(path, '"}\n');

    const faults = examineTranscript({ type: 'claude-agent-sdk', path });
    const copy = repairTranscript({ type: 'claude-agent-sdk', path }, join(home, 'repaired'));

    expect(faults).toMatchObject([{ kind: 'torn_line', line: whole.length + 1 }]);
    expect(
      readFileSync(copy?.path ?? '', 'utf8')
        .split('\n')
        .filter(Boolean),
    ).toEqual(whole);
  });

  it('with a torn line loses that line and nothing else', () => {
    const { home, path } = claudeFile((lines) => lines);
    const whole = readFileSync(path, 'utf8');
    writeFileSync(path, `${whole}{"type":"user","mess`);

    const { result, text } = repaired('claude-agent-sdk', path, home);

    expect(result?.faults).toMatchObject([{ kind: 'torn_line', line: 13 }]);
    expect(text).toBe(whole);
  });

  it('with a result whose call is gone is linked around it', () => {
    const { home, path } = claudeFile((lines) =>
      lines
        .filter(({ uuid }) => uuid !== 't2-t')
        .map((line) => (line.uuid === 't2-r' ? { ...line, parentUuid: 't2-u' } : line)),
    );

    const { result, lines } = repaired('claude-agent-sdk', path, home);

    expect(result?.faults).toMatchObject([{ kind: 'orphan_result', line: 6 }]);
    expect(lines.find(({ uuid }) => uuid === 't2-a')?.parentUuid).toBe('t2-u');
    expect(lines.some(({ uuid }) => uuid === 't2-r')).toBe(false);
  });

  it('with a call that has no result is given one that says so', () => {
    const { home, path } = claudeFile((lines) =>
      lines
        .filter(({ uuid }) => uuid !== 't1-r')
        .map((line) => (line.uuid === 't1-a' ? { ...line, parentUuid: 't1-t' } : line)),
    );

    const { result, text, lines } = repaired('claude-agent-sdk', path, home);
    const { blocks } = parseTranscripts('claude-agent-sdk', { main: text });

    expect(result?.faults).toMatchObject([{ kind: 'unanswered_call', line: 2 }]);
    expect(lines[2]).toMatchObject({ parentUuid: 't1-t', type: 'user' });
    expect(lines[3]).toMatchObject({ uuid: 't1-a', parentUuid: lines[2]?.uuid });
    expect(blocks.find(({ id }) => id === 'toolu_t1:result')).toMatchObject({ isError: true });
    expect(blocks.at(-1)).toMatchObject({ content: 'Answer 3' });
  });

  it('whose last call is still running is sound', () => {
    const { path } = claudeFile((lines) => lines.slice(0, 2));

    expect(examineTranscript({ type: 'claude-agent-sdk', path })).toEqual([]);
  });

  it('is repaired to the same bytes every time', () => {
    const { home, path } = claudeFile((lines) => lines.filter(({ uuid }) => uuid !== 't1-r'));

    const [one, other] = [
      repaired('claude-agent-sdk', path, home),
      repaired('claude-agent-sdk', path, home),
    ];

    expect(one.text).toBe(other.text);
  });
});

describe('a transcript of another agent', () => {
  it('of Codex gets its calls and outputs paired', () => {
    const home = temporaryHome();
    const thread = '01a1e126-6565-7fc3-909b-adcb84138417';
    const item = (payload: object) => ({
      timestamp: '2026-11-01T10:00:00.000Z',
      type: 'response_item',
      payload,
    });
    writeLines(codexPath(home, thread), [
      codexHeader(thread),
      item({ type: 'function_call_output', call_id: 'gone', output: 'x' }),
      item({ type: 'function_call', name: 'shell', arguments: '{}', call_id: 'open' }),
      item({ type: 'message', role: 'assistant', content: [] }),
    ]);

    const { result, lines } = repaired('codex', codexPath(home, thread), home);

    expect(result?.faults.map(({ kind }) => kind)).toEqual(['orphan_result', 'unanswered_call']);
    expect(lines.map(({ payload }) => (payload as { call_id?: string }).call_id)).toEqual([
      undefined,
      'open',
      'open',
      undefined,
    ]);
  });

  it('of pi is linked around what was taken out and put in', () => {
    const home = temporaryHome();
    const entry = (id: string, parentId: string | null, message: object) => ({
      type: 'message',
      id,
      parentId,
      message,
    });
    writeLines(piPath(home, 's1'), [
      piHeader('s1'),
      entry('a', null, {
        role: 'assistant',
        content: [{ type: 'toolCall', id: 'c1', name: 'bash' }],
      }),
      entry('b', 'a', { role: 'toolResult', toolCallId: 'c9', content: [] }),
      entry('c', 'b', { role: 'user', content: [] }),
    ]);

    const { lines } = repaired('pi', piPath(home, 's1'), home);

    expect(lines.map(({ id }) => id)).toEqual(['s1', 'a', lines[2]?.id, 'c']);
    expect(lines[2]).toMatchObject({ parentId: 'a', message: { toolCallId: 'c1', isError: true } });
    expect(lines[3]?.parentId).toBe(lines[2]?.id);
  });
});
