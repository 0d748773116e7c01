import { execFileSync } from 'node:child_process';
import { appendFileSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  assertStrictHistory,
  fakeTool,
  says,
  scriptedProvider,
} from '@robota-sdk/agent-core/testing';
import {
  createProjectSessionStore,
  describeHandOver,
  type HandOverOptions,
  HandOverTargetError,
  handOver,
  InteractiveSession,
  listDamagedHandOvers,
  listHandOvers,
  removeHandOver,
  SessionNotFoundError,
} from '@robota-sdk/agent-sdk';
import { locateTranscript, parseTranscriptFile } from '@robota-sdk/agent-transcript/architectures';
import { describe, expect, it } from 'vitest';
import { useTestPlace } from '../sandbox-home.ts';

const place = useTestPlace();
const RECORDINGS = join(import.meta.dirname, '../../../transcript/test/fixtures');

function recording(agent: 'claude' | 'codex', scenario: string): string {
  const folder = join(RECORDINGS, agent, scenario);
  const name = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .sort()
    .find((file) => /(?:^|\/)(?:00000000|rollout-)[^/]*\.jsonl$/.test(file));
  return join(folder, name ?? '');
}

function move(options: Pick<HandOverOptions, 'to'> & Partial<HandOverOptions>) {
  return handOver({
    from: { agent: 'claude', path: recording('claude', '2.1.325/parallel') },
    cwd: place.project,
    place: { home: place.home, environment: {} },
    ...options,
  });
}

describe.each(['claude', 'codex', 'gemini'] as const)('a session handed over to %s', (to) => {
  it('is found under its new id and says the same, and the source is as it was', async () => {
    const path = recording('codex', '0.166.0/04-parallel-tools');
    const before = readFileSync(path);

    const moved = await move({ to, from: { agent: 'codex', path } });

    if (moved.status !== 'written') throw new Error(moved.status);
    const type = { claude: 'claude-agent-sdk', codex: 'codex', gemini: 'gemini-cli' }[to];
    expect(await locateTranscript(type, moved.id, { home: place.home, environment: {} })).toBe(
      moved.file,
    );
    expect(moved.report.fidelity.calls).toMatchObject({ kept: 3, of: 3, extra: 0 });
    expect(moved.report.fidelity.results).toMatchObject({ kept: 3, of: 3 });
    expect(moved.resume).toContain(moved.id);
    expect(readFileSync(path).equals(before)).toBe(true);
    const texts = (await parseTranscriptFile(type, moved.file)).blocks.filter(
      ({ type: kind }) => kind === 'user_message',
    );
    expect(texts.length).toBe(moved.report.fidelity.userTexts.of);
  });

  it('is taken back with one call, and only once', async () => {
    const moved = await move({ to });
    expect((await listHandOvers()).map(({ target }) => target)).toEqual([
      { agent: to, id: moved.id },
    ]);

    expect(await removeHandOver(moved.id)).toMatchObject({ status: 'removed' });

    expect(moved.status === 'written' && existsSync(moved.file)).toBe(false);
    expect(await removeHandOver(moved.id)).toEqual({ status: 'unknown' });
  });

  it('stays when its program has gone on with it', async () => {
    const moved = await move({ to });
    if (moved.status !== 'written') throw new Error(moved.status);
    appendFileSync(moved.file, '{}\n');

    expect(await removeHandOver(moved.id)).toEqual({ status: 'continued', file: moved.file });

    expect(existsSync(moved.file)).toBe(true);
  });

  it('is only counted in a dry run', async () => {
    const planned = await move({ to, dryRun: true });
    const moved = await move({ to });

    expect(planned.status).toBe('planned');
    expect(planned.report).toEqual(moved.report);
    expect(await listHandOvers()).toHaveLength(1);
  });
});

it('one damaged record of a hand-over hides no other, and is named', async () => {
  const moved = await move({ to: 'codex' });
  const folder = join(place.home, '.robota/hand-overs');
  const ids = ['1', '2', '3'].map((digit) => `00000000-0000-4000-8000-00000000000${digit}`);
  const [cut = '', array = '', pipe = ''] = ids.map((id) => join(folder, `${id}.json`));
  writeFileSync(cut, '{"version": 1');
  writeFileSync(array, '[]');
  execFileSync('/bin/sh', ['-c', 'mkfifo "$1"', 'sh', pipe]);

  const listed = await listHandOvers();

  expect(listed.map(({ target }) => target.id)).toEqual([moved.id]);
  expect(await listDamagedHandOvers()).toEqual([cut, array, pipe]);
  await expect(removeHandOver(ids[0] ?? '')).rejects.toThrow(`Cannot read ${cut}`);
  expect(readFileSync(cut, 'utf8')).toBe('{"version": 1');
  expect(await removeHandOver(moved.id)).toMatchObject({ status: 'removed' });
});

describe('a session that is too long for its target', () => {
  const long = { agent: 'claude', path: '' };

  it('is not written without consent, and with it begins with a summary', async () => {
    const from = { ...long, path: longSession() };
    const asked = await move({ to: 'claude', from });
    const given: string[] = [];
    const summarise = (conversation: string) => {
      given.push(conversation);
      return Promise.resolve('They counted.');
    };

    const moved = await move({ to: 'claude', from, whenTooLong: { summarise } });

    expect(asked).toMatchObject({ status: 'too_long', contextTokens: 200_000 });
    expect(given[0]).toContain('User: prompt 0');
    expect(moved.status).toBe('written');
    expect(moved.report.fidelity.summaries).toMatchObject({ kept: 1, of: 1 });
    expect(moved.report.estimatedTokens).toBeLessThan(100_000);
    expect(await move({ to: 'claude', from, whenTooLong: 'leave_to_target' })).toMatchObject({
      status: 'written',
    });
  });

  function longSession(): string {
    const lines = Array.from({ length: 100 }, (_, index) =>
      JSON.stringify({
        type: 'user',
        uuid: `u${index}`,
        parentUuid: index === 0 ? null : `u${index - 1}`,
        sessionId: 's1',
        cwd: place.project,
        isSidechain: false,
        timestamp: '2026-11-10T10:00:00.000Z',
        message: { role: 'user', content: `prompt ${index} ${'x'.repeat(10_000)}` },
      }),
    );
    place.write('long.jsonl', lines.join('\n'));
    return join(place.project, 'long.jsonl');
  }
});

describe('our own engine', () => {
  it('goes on as a fork that names its origin, with every word and pair', async () => {
    const from = { agent: 'claude', path: recording('claude', '2.1.325/parallel') };
    const moved = await move({ to: 'robota', from });
    if (moved.status !== 'ready') throw new Error(moved.status);
    const provider = scriptedProvider(says('Going on.'));
    const session = new InteractiveSession({
      cwd: place.project,
      provider,
      tools: [fakeTool('Echo', () => 'echoed')],
      persistence: true,
      ...moved.start,
    });

    await session.submit('and now?');
    await session.shutdown();

    const { fidelity } = moved.report;
    const [request = []] = provider.requests;
    assertStrictHistory(request);
    expect(request.filter(({ role }) => role === 'tool')).toHaveLength(fidelity.calls.of);
    expect(fidelity.calls.kept).toBe(fidelity.calls.of);
    expect(JSON.stringify(request)).toContain('took place in Claude Code');
    const shown = session.getBlocks().map(({ type }) => type);
    const { blocks } = await parseTranscriptFile('claude-agent-sdk', from.path);
    expect(shown.slice(0, blocks.length)).toEqual(blocks.map(({ type }) => type));
    const log = readFileSync(
      join(place.home, '.robota/logs', `${session.sessionId}.jsonl`),
      'utf8',
    );
    expect(log).toContain(`"origin":"${moved.from.id}"`);
    const store = createProjectSessionStore(place.project);
    expect(store.load(session.sessionId)?.messages.length).toBeGreaterThan(request.length);
    expect(store.load(moved.from.id)).toBeUndefined();
  });
});

it('refuses targets that nobody can write, and sessions that nobody has', async () => {
  await expect(move({ to: 'pi' })).rejects.toThrow(HandOverTargetError);
  await expect(move({ to: 'nobody' })).rejects.toThrow(
    'Sessions cannot be handed over to "nobody"; possible are claude, gemini, codex, robota.',
  );
  const from = { agent: 'claude', id: '00000000-0000-4000-8000-00000000ffff' };
  await expect(move({ to: 'codex', from })).rejects.toThrow(SessionNotFoundError);
});

it('tells what is kept, what is left out and why', async () => {
  const from = { agent: 'claude', path: recording('claude', '2.1.325/think') };

  const moved = await move({ to: 'gemini', from, dryRun: true });
  const back = await move({ to: 'claude', from, dryRun: true });

  expect(describeHandOver(moved.report)).toContainEqual(
    expect.stringMatching(/^prompts: (\d+) of \1 kept$/),
  );
  expect(back.report.losses).toContainEqual({
    what: 'thoughts',
    count: expect.any(Number),
    how: 'left_out',
    reason: 'only the vendor that had them takes them back',
  });
});
