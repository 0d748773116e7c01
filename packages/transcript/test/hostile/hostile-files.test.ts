import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { describeTool, parseTranscripts } from '@robota-sdk/agent-transcript';
import {
  findAgentSessions,
  followTranscript,
  parseTranscriptFile,
  readFamily,
  readLastBlocks,
  takeInventory,
  walkTree,
} from '@robota-sdk/agent-transcript/architectures';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../drivers/temporary-home.ts';

const ID = '019a0000-0000-7000-8000-000000000001';
const PLACES: readonly (readonly [type: string, path: string])[] = [
  ['claude-agent-sdk', `.claude/projects/-work/${ID}.jsonl`],
  ['codex', `.codex/sessions/2026/01/01/rollout-2026-01-01T00-00-00-${ID}.jsonl`],
  ['gemini-cli', '.gemini/tmp/work/chats/session-2026-01-01T00-00-019a0000.jsonl'],
  ['pi', `.pi/agent/sessions/--work--/2026-01-01T00-00-00_${ID}.jsonl`],
  ['acp:qwen', `.robota/acp/qwen/${ID}.jsonl`],
  ['robota', `.robota/sessions/${ID}.jsonl`],
];

function pipeAt(path: string): string {
  mkdirSync(dirname(path), { recursive: true });
  execFileSync('mkfifo', [path]);
  return path;
}

describe.each(PLACES)('a pipe in the place of a session of %s', (type, place) => {
  it('is a session in which nothing happened, and nobody waits for its writer', async () => {
    const path = pipeAt(join(temporaryFolder(), place));

    expect((await parseTranscriptFile(type, path)).blocks).toEqual([]);
    expect(await readLastBlocks(type, path, 5)).toEqual([]);
    expect((await readFamily({ type, path, parts: [] })).blocks).toEqual([]);
    for await (const told of followTranscript(type, path)) {
      expect(told).toMatchObject({ type: 'opened', conversation: { blocks: [] } });
      break;
    }
  });
});

describe('a home with pipes, devices, folders and links that lead nowhere', () => {
  it('lists the sessions that can be read', async () => {
    const home = temporaryFolder();
    for (const [, place] of PLACES) {
      pipeAt(join(home, place));
      const folder = dirname(join(home, place));
      mkdirSync(join(folder, `folder-${basename(place)}`));
      symlinkSync('/dev/zero', join(folder, `zero-${basename(place)}`));
      symlinkSync('/nowhere', join(folder, `nowhere-${basename(place)}`));
      symlinkSync(folder, join(folder, 'loop'));
    }
    pipeAt(join(home, '.gemini/tmp/work/.project_root'));
    pipeAt(join(home, '.local/share/opencode/opencode.db'));
    const readable = join(home, `.claude/projects/-work/${ID.replace(/1$/, '9')}.jsonl`);
    writeFileSync(
      readable,
      `${JSON.stringify({ type: 'user', uuid: 'u', parentUuid: null, message: { role: 'user', content: 'Hi' } })}\n`,
    );

    const found: string[] = [];
    for await (const { path } of findAgentSessions({ home, environment: {} })) found.push(path);
    const { families } = await takeInventory({ home, environment: {} });

    expect(found).toContain(readable);
    expect(families.map(({ path }) => path)).toContain(readable);
  });

  it('lists the other agents if the database of one is damaged', async () => {
    const home = temporaryFolder();
    mkdirSync(join(home, '.local/share/opencode'), { recursive: true });
    writeFileSync(join(home, '.local/share/opencode/opencode.db'), 'not a database'.repeat(1000));

    for await (const found of findAgentSessions({ home, environment: {} })) {
      expect(found).toBeUndefined();
    }
    expect((await takeInventory({ home, environment: {} })).families).toEqual([]);
  });
});

describe('rules and outputs made to take long', () => {
  it('a `.gitignore` with many wildcards is applied at once', async () => {
    const root = temporaryFolder();
    writeFileSync(
      join(root, '.gitignore'),
      `${'*a'.repeat(40)}*b\nx${' '.repeat(200_000)}y\n*.log\n`,
    );
    writeFileSync(join(root, 'a'.repeat(200)), '');
    writeFileSync(join(root, 'kept.log'), '');

    const started = process.cpuUsage();
    const files = await walkTree(root);
    const { user, system } = process.cpuUsage(started);

    expect(files.map(({ path }) => basename(path))).toEqual(['.gitignore', 'a'.repeat(200)]);
    expect(user + system).toBeLessThan(2_000_000);
  });

  it.each([
    ['spaces', ' '],
    ['reminders', '<system-reminder>'],
  ])('a call with a hundred thousand %s is described at once', (_name, piece) => {
    const text = `x${piece.repeat(100_000)}y`;
    const call = {
      type: 'tool_use',
      id: 't',
      timestamp: '',
      toolName: 'Bash',
      toolUseId: 't',
      input: { command: text },
      status: 'success',
    } as const;

    const started = process.cpuUsage();
    const shown = describeTool(call, {
      type: 'tool_result',
      id: 't:result',
      timestamp: '',
      toolUseId: 't',
      output: text,
      isError: false,
    });
    const { user, system } = process.cpuUsage(started);

    expect(JSON.stringify(shown)).toContain('y');
    expect(user + system).toBeLessThan(3_000_000);
  });
});

describe('a line that no program writes', () => {
  it('is skipped if it is nested more deeply than values can be walked', () => {
    const deep = `${'{"a":['.repeat(20_000)}${']}'.repeat(20_000)}`;
    const line = `{"type":"assistant","uuid":"u","parentUuid":null,"message":{"id":"m","content":[{"type":"tool_use","id":"t","name":"X","input":${deep}}]}}`;
    const hello = JSON.stringify({
      type: 'user',
      uuid: 'v',
      parentUuid: null,
      message: { role: 'user', content: 'Hi' },
    });

    const parsed = parseTranscripts('claude-agent-sdk', { main: `${line}\n${hello}` });

    expect(parsed.skipped.lines).toBe(1);
    expect(parsed.blocks).toMatchObject([{ type: 'user_message', content: 'Hi' }]);
    expect(() => JSON.stringify(parsed)).not.toThrow();
  });
});
