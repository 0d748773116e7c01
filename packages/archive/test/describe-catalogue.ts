import { rmSync } from 'node:fs';
import type { Catalogue } from '@robota-sdk/agent-archive';
import { describe, expect, it, onTestFinished } from 'vitest';
import {
  appendLines,
  claudeLines,
  claudePath,
  claudeTurn,
  codexHeader,
  codexPath,
  codexTurn,
  geminiHeader,
  geminiPath,
  geminiTurn,
  piHeader,
  piPath,
  piTurn,
  temporaryHome,
  writeLines,
} from './generated-home.ts';

const THREAD = '01a1e126-6565-7fc3-909b-adcb84138417';
const GEMINI = '88de189d-1111-4222-8333-444444444444';

/** What every adapter of the port must do. `open` opens a catalogue of the agents' sessions below a home. */
export function describeCatalogue(
  technology: string,
  open: (home: string) => Catalogue | Promise<Catalogue>,
): void {
  const start = async (fill: (home: string) => void) => {
    const home = temporaryHome();
    fill(home);
    const catalogue = await open(home);
    onTestFinished(() => catalogue.close());
    await catalogue.refresh();
    return { home, catalogue };
  };

  describe(`${technology}: a list`, () => {
    it('holds the sessions of every agent, newest first', async () => {
      const { catalogue } = await start(fillFour);

      const { sessions } = await catalogue.list();

      expect(sessions.map(({ agent, id, title }) => [agent, id, title])).toEqual([
        ['pi', 'pi-1', 'Fix the pi parser'],
        ['gemini', GEMINI, 'Explain the gemini tree'],
        ['codex', THREAD, 'Rename the codex module'],
        ['claude', 'c1', 'Write the claude report'],
      ]);
    });

    it('is paged without gap or repeat, also among sessions of one moment', async () => {
      const { catalogue } = await start((home) => {
        for (let number = 0; number < 23; number++) {
          const turn = { id: `t${number}`, prompt: `Task ${number}`, answer: 'Done.' };
          writeLines(claudePath(home, `s${number}`), claudeTurn(turn, { sessionId: `s${number}` }));
        }
      });

      const seen: string[] = [];
      let after: string | undefined;
      do {
        const page = await catalogue.list({ limit: 5, after });
        seen.push(...page.sessions.map(({ id }) => id));
        after = page.next;
      } while (after !== undefined);

      expect(seen).toHaveLength(23);
      expect(new Set(seen).size).toBe(23);
    });

    it('is narrowed by agent, project, time, name and text', async () => {
      const { catalogue } = await start(fillFour);
      const ids = async (query: Parameters<Catalogue['list']>[0]) =>
        (await catalogue.list(query)).sessions.map(({ id }) => id);

      expect(await ids({ agent: 'codex' })).toEqual([THREAD]);
      expect(await ids({ agent: 'claude-agent-sdk' })).toEqual(['c1']);
      expect(await ids({ agent: 'nobody' })).toEqual([]);
      expect(await ids({ here: '/work' })).toEqual(['pi-1', THREAD, 'c1']);
      expect(await ids({ here: '/other' })).toEqual([]);
      expect(await ids({ project: 'wor' })).toEqual(['pi-1', THREAD, 'c1']);
      expect(await ids({ since: Date.parse('2026-11-03T00:00:00Z') })).toEqual(['pi-1', GEMINI]);
      expect(await ids({ until: Date.parse('2026-11-02T00:00:00Z') })).toEqual(['c1']);
      expect(await ids({ name: 'REPORT' })).toEqual(['c1']);
      expect(await ids({ text: 'handleRequest' })).toEqual([THREAD]);
      expect(await ids({ text: 'nothingOfTheKind' })).toEqual([]);
    });

    it('refuses a place that is none', async () => {
      const { catalogue } = await start(fillFour);

      await expect(catalogue.list({ after: 'nowhere' })).rejects.toThrow('Not a place');
    });
  });

  describe(`${technology}: a refresh`, () => {
    it('reads only what has changed', async () => {
      const { home, catalogue } = await start(fillFour);
      const more = claudeTurn(turn('x2', 'And then', 'Next.'), { sessionId: 'c1', parent: 'x1-a' });
      appendLines(claudePath(home, 'c1'), more);

      const changed = await catalogue.refresh();
      const unchanged = await catalogue.refresh();

      expect(changed).toMatchObject({ status: 'complete', read: 1, removed: 0, sessions: 4 });
      expect(unchanged).toMatchObject({ read: 0, removed: 0, sessions: 4 });
      expect((await catalogue.list({ agent: 'claude' })).sessions[0]?.messages).toBe(4);
    });

    it('forgets what was said in a deleted transcript and keeps what was paid', async () => {
      const { home, catalogue } = await start(fillFour);
      const before = (await catalogue.usage()).total;
      rmSync(claudePath(home, 'c1'));

      const report = await catalogue.refresh();

      expect(report.removed).toBe(1);
      expect((await catalogue.list({ agent: 'claude' })).sessions).toEqual([]);
      expect((await catalogue.search({ text: 'quarterly' })).sessions).toEqual([]);
      expect((await catalogue.usage()).total).toEqual(before);
    });

    it('keeps what only a deleted copy of a session held, and shows the other copy', async () => {
      const past = [turn('t1', 'One', '1'), turn('t2', 'Two', '2')];
      const { home, catalogue } = await start((folder) => {
        writeLines(claudePath(folder, 'c1'), claudeLines(past, { sessionId: 'c1' }));
        writeLines(claudePath(folder, 'c1', '-copy'), [
          ...claudeLines(past, { sessionId: 'c1' }),
          ...claudeTurn(turn('t3', 'Three', '3'), { sessionId: 'c1', parent: 't2-a' }),
        ]);
      });
      const before = (await catalogue.usage()).total;
      rmSync(claudePath(home, 'c1', '-copy'));

      const report = await catalogue.refresh();
      const { sessions } = await catalogue.list();
      const after = (await catalogue.usage()).total;
      appendLines(
        claudePath(home, 'c1'),
        claudeTurn(turn('t4', 'Four', '4'), { sessionId: 'c1', parent: 't2-a' }),
      );
      await catalogue.refresh();

      expect(before.requests).toBe(3);
      expect(report.removed).toBe(1);
      expect(after).toEqual(before);
      expect(sessions.map(({ path, messages }) => [path, messages])).toEqual([
        [claudePath(home, 'c1'), 4],
      ]);
      expect((await catalogue.usage()).total.requests).toBe(4);
    });

    it('takes a session for moved that is whole elsewhere', async () => {
      const lines = claudeLines([turn('t1', 'One', '1')], { sessionId: 'c1' });
      const { home, catalogue } = await start((folder) => {
        writeLines(claudePath(folder, 'c1'), lines);
      });
      rmSync(claudePath(home, 'c1'));
      writeLines(claudePath(home, 'c1', '-elsewhere'), lines);

      const report = await catalogue.refresh();

      expect(report).toMatchObject({ read: 1, removed: 0, sessions: 1 });
      expect((await catalogue.usage()).total.requests).toBe(1);
    });

    it('can be stopped, and goes on from there', async () => {
      const home = temporaryHome();
      fillFour(home);
      const catalogue = await open(home);
      onTestFinished(() => catalogue.close());
      const stop = new AbortController();

      const first = await catalogue.refresh({
        signal: stop.signal,
        onProgress: ({ done }) => done === 2 && stop.abort(),
      });
      const half = await catalogue.list();
      const isHalfComplete = (await catalogue.state()).isComplete;
      const second = await catalogue.refresh();

      expect(first).toMatchObject({ status: 'interrupted', read: 2 });
      expect(half.sessions).toHaveLength(2);
      expect(isHalfComplete).toBe(false);
      expect(second).toMatchObject({ status: 'complete', read: 2, sessions: 4 });
      expect(await catalogue.state()).toMatchObject({ sessions: 4, isComplete: true });
    });

    it('is done by one of several at once', async () => {
      const home = temporaryHome();
      fillFour(home);
      const [one, other] = [await open(home), await open(home)];
      onTestFinished(() => Promise.all([one.close(), other.close()]).then(() => undefined));
      await one.list();
      let second: unknown;

      const first = await one.refresh({
        onProgress: ({ done }) => {
          if (done === 1) second = other.refresh();
        },
      });

      expect(first.status).toBe('complete');
      expect(await second).toMatchObject({ status: 'busy' });
    });
  });

  describe(`${technology}: a search`, () => {
    it.each([
      ['a word in any case', 'QUARTERLY', 'c1'],
      ['words anywhere in a block', 'report quarterly', 'c1'],
      ['a phrase', '"quarterly report"', 'c1'],
      ['a beginning', 'quart*', 'c1'],
      ['an identifier', 'handleRequest', THREAD],
      ['a path', 'src/server/index.ts', THREAD],
      ['a part of a path', 'server/index', THREAD],
      ['characters inside a text without spaces', '解析器', GEMINI],
      ['one such character', '析', GEMINI],
      ['the input of a tool', 'npm run build', 'c1'],
      ['the output of a tool', 'warnings', 'c1'],
      ['a word beside one that is left out', 'report -renamed', 'c1'],
    ])('finds %s', async (_, text, id) => {
      const { catalogue } = await start(fillFour);

      const { sessions } = await catalogue.search({ text });

      expect(sessions.map(({ session }) => session.id)).toEqual([id]);
    });

    it.each([
      ['words in another order as a phrase', '"report quarterly"'],
      ['a word that is left out', 'quarterly -report'],
      ['what nobody said', 'unheard'],
    ])('does not find %s', async (_, text) => {
      const { catalogue } = await start(fillFour);

      expect((await catalogue.search({ text })).sessions).toEqual([]);
    });

    it.each(['', '"', '*', 'a*', '-only', '😀', "' or 1=1 --", 'NEAR(', '{said}: x', '^'])(
      'bears %j without an error',
      async (text) => {
        const { catalogue } = await start(fillFour);

        expect((await catalogue.search({ text })).sessions).toEqual([]);
      },
    );

    it('says what is wrong with a beginning that is too short', async () => {
      const { catalogue } = await start(fillFour);

      expect((await catalogue.search({ text: 'a*' })).problem).toContain('at least 4 characters');
    });

    it('names the block and shows the words around the match', async () => {
      const { catalogue } = await start(fillFour);

      const { sessions } = await catalogue.search({ text: 'warnings' });

      expect(sessions[0]?.hits).toEqual([
        {
          blockId: 'toolu_x1:result',
          thread: 'main',
          isSuperseded: false,
          snippet: 'Built with 3 warnings in 2 s',
        },
      ]);
    });

    it('looks only at what was said, or only at tools, when asked to', async () => {
      const { catalogue } = await start(fillFour);
      const count = async (where: 'said' | 'tools') =>
        (await catalogue.search({ text: 'warnings', in: where })).sessions.length;

      expect([await count('said'), await count('tools')]).toEqual([0, 1]);
    });

    it('shows and finds no secret and no control character', async () => {
      const key = `sk-ant-api03-${'x'.repeat(93)}AA`;
      const { catalogue } = await start((home) => {
        const prompt = `Use ${key} and \u001b]52;c;aGk=\u0007 please`;
        writeLines(
          claudePath(home, 's1'),
          claudeTurn(turn('s', prompt, 'Fine.'), { sessionId: 's1' }),
        );
      });

      const [session] = (await catalogue.list()).sessions;
      const [found] = (await catalogue.search({ text: 'please' })).sessions;

      expect(session?.title).toContain('[REDACTED');
      expect(JSON.stringify([session, found])).not.toMatch(/sk-ant-api03-x|\\u001b|\\u0007/);
      expect((await catalogue.search({ text: key })).sessions).toEqual([]);
    });

    it('is narrowed by agent and project, and says when there is more', async () => {
      const { catalogue } = await start((home) => {
        for (const id of ['a', 'b', 'c']) {
          writeLines(
            claudePath(home, id),
            claudeTurn(turn(id, 'common words', 'Yes.'), { sessionId: id }),
          );
        }
      });

      expect((await catalogue.search({ text: 'common', agent: 'codex' })).sessions).toEqual([]);
      expect(await catalogue.search({ text: 'common', limit: 2 })).toMatchObject({ hasMore: true });
      expect(await catalogue.search({ text: 'common', here: '/work' })).toMatchObject({
        hasMore: false,
      });
    });
  });

  describe(`${technology}: usage`, () => {
    it('counts each request once, forks and copies included', async () => {
      const { catalogue } = await start((home) => {
        const past = [turn('t1', 'One', '1'), turn('t2', 'Two', '2')];
        writeLines(claudePath(home, 'c1'), claudeLines(past, { sessionId: 'c1' }));
        writeLines(claudePath(home, 'c2'), [
          ...claudeLines(past, { sessionId: 'c2', forkedFrom: 'c1' }),
          ...claudeTurn(turn('t3', 'Three', '3'), { sessionId: 'c2', parent: 't2-a' }),
        ]);
        writeLines(claudePath(home, 'c1', '-moved'), claudeLines(past, { sessionId: 'c1' }));
      });

      const report = await catalogue.usage({ by: 'session' });
      const { sessions } = await catalogue.list();

      expect(report.total.requests).toBe(3);
      expect(report.rows.map(({ key, requests }) => [key, requests])).toEqual([
        ['claude:c1', 2],
        ['claude:c2', 1],
      ]);
      expect(sessions.map(({ id, forkOf }) => [id, forkOf])).toEqual([
        ['c2', 'c1'],
        ['c1', undefined],
      ]);
    });

    it('is priced by request and says what has no price', async () => {
      const { catalogue } = await start((home) => {
        const turns = [
          turn('t1', 'One', '1'),
          { ...turn('t2', 'Two', '2'), model: 'my-local-model' },
        ];
        writeLines(claudePath(home, 'c1'), claudeLines(turns, { sessionId: 'c1' }));
      });

      const { total, unpriced } = await catalogue.usage();

      expect(total).toMatchObject({ requests: 2, unpricedRequests: 1 });
      expect(total.costUsd).toBeCloseTo((10 * 3 + 20 * 15 + 300 * 0.3) / 1e6, 12);
      expect(unpriced).toEqual([{ model: 'my-local-model', requests: 1 }]);
    });

    it('is grouped by the days of a time zone, by week, model, agent, project and cause', async () => {
      const { catalogue } = await start(fillFour);
      const keys = async (query: Parameters<Catalogue['usage']>[0]) =>
        (await catalogue.usage(query)).rows.map(({ key }) => key);

      expect(await keys({ by: 'day', timeZone: 'UTC' })).toEqual([
        '2026-11-01',
        '2026-11-02',
        '2026-11-03',
        '2026-11-04',
      ]);
      expect((await keys({ by: 'day', timeZone: 'Pacific/Kiritimati' }))[0]).toBe('2026-11-02');
      expect(await keys({ by: 'week', timeZone: 'UTC' })).toEqual(['2026-10-26', '2026-11-02']);
      expect((await keys({ by: 'agent' })).sort()).toEqual(['claude', 'codex', 'gemini', 'pi']);
      expect(await keys({ by: 'cause' })).toEqual(['main']);
      expect(await keys({ by: 'project', agent: 'claude' })).toEqual(['work']);
      expect(await keys({ by: 'model', since: Date.parse('2026-11-04T00:00:00Z') })).toEqual([
        'gpt-5-codex',
      ]);
    });

    it('begins its days when the clocks of the zone say so, whatever they are set to', async () => {
      const at = (time: string, id: string) => ({ id, prompt: 'x', answer: 'y', at: time });
      const { catalogue } = await start((home) => {
        const turns = [
          // Midnight in Kathmandu is at a quarter past; that in Berlin at 22:00 until the end of October, then at 23:00.
          at('2026-10-20T18:10:00.000Z', 'k1'),
          at('2026-10-20T18:20:00.000Z', 'k2'),
          at('2026-10-24T22:30:00.000Z', 'b1'),
          at('2026-10-25T22:30:00.000Z', 'b2'),
          at('2026-10-25T23:30:00.000Z', 'b3'),
        ];
        writeLines(claudePath(home, 'c9'), claudeLines(turns, { sessionId: 'c9' }));
      });
      const days = async (timeZone: string) =>
        (await catalogue.usage({ by: 'day', timeZone })).rows.map(
          ({ key, requests }) => `${key} ${requests}`,
        );

      expect(await days('Asia/Kathmandu')).toEqual([
        '2026-10-20 1',
        '2026-10-21 1',
        '2026-10-25 1',
        '2026-10-26 2',
      ]);
      expect(await days('Europe/Berlin')).toEqual(['2026-10-20 2', '2026-10-25 2', '2026-10-26 1']);
    });
  });

  describe(`${technology}: a reference`, () => {
    it('is an id, the beginning of one, a title, or last', async () => {
      const { catalogue } = await start(fillFour);
      const idOf = async (reference: string) => {
        const found = await catalogue.resolve(reference);
        return found.kind === 'found' ? found.session.id : found.kind;
      };

      expect(await idOf(THREAD)).toBe(THREAD);
      expect(await idOf('01a1e1')).toBe(THREAD);
      expect(await idOf('c1')).toBe('c1');
      expect(await idOf('claude:c1')).toBe('c1');
      expect(await idOf('codex:c1')).toBe('none');
      expect(await idOf('write the claude report')).toBe('c1');
      expect(await idOf('last')).toBe('pi-1');
      expect(await idOf('01a')).toBe('none');
      expect(await idOf('')).toBe('none');
      expect(await idOf('%')).toBe('none');
    });

    it('that means several gives them all and picks none', async () => {
      const { catalogue } = await start((home) => {
        for (const id of ['abcd-1', 'abcd-2', 'other']) {
          writeLines(
            claudePath(home, id),
            claudeTurn(turn(id, `Task ${id}`, '.'), { sessionId: id }),
          );
        }
        writeLines(piPath(home, 'other'), [piHeader('other'), ...piTurn(turn('p', 'Pi', '.'))]);
      });

      const prefix = await catalogue.resolve('abcd');
      const shared = await catalogue.resolve('other');
      const settled = await catalogue.resolve('other', { agent: 'pi' });

      expect(prefix).toMatchObject({ kind: 'ambiguous', candidates: [{}, {}] });
      expect(shared).toMatchObject({ kind: 'ambiguous', candidates: [{}, {}] });
      expect(settled).toMatchObject({ kind: 'found', session: { agent: 'pi' } });
    });

    it('prefers a title of this project, and takes last of this project', async () => {
      const { catalogue } = await start((home) => {
        const same = (id: string, cwd: string, at: string) =>
          writeLines(
            claudePath(home, id, cwd.replaceAll('/', '-')),
            claudeTurn({ ...turn(id, 'Fix it', '.'), at }, { sessionId: id, cwd }),
          );
        same('in-one', '/one', '2026-11-01T10:00:00.000Z');
        same('in-two', '/two', '2026-11-02T10:00:00.000Z');
      });

      expect(await catalogue.resolve('Fix it')).toMatchObject({ kind: 'ambiguous' });
      expect(await catalogue.resolve('Fix it', { here: '/one' })).toMatchObject({
        session: { id: 'in-one' },
      });
      expect(await catalogue.resolve('last', { here: '/one' })).toMatchObject({
        session: { id: 'in-one' },
      });
    });
  });
}

function turn(id: string, prompt: string, answer: string) {
  return { id, prompt, answer };
}

/** One session of each of four agents, a day apart. */
function fillFour(home: string): void {
  const tool = { command: 'npm run build', output: 'Built with 3 warnings in 2 s' };
  const claude = {
    ...turn('x1', 'Write the claude report', 'The quarterly report is done.'),
    tool,
    at: '2026-11-01T12:00:00.000Z',
  };
  writeLines(claudePath(home, 'c1'), claudeTurn(claude, { sessionId: 'c1' }));
  const codex = {
    ...turn(
      'x2',
      'Rename the codex module',
      'Renamed handleRequest in src/server/index.ts, see the report.',
    ),
    at: '2026-11-02T10:00:00.000Z',
  };
  writeLines(codexPath(home, THREAD), [codexHeader(THREAD), ...codexTurn(codex)]);
  const gemini = {
    ...turn('x3', 'Explain the gemini tree', '这个解析器很快'),
    at: '2026-11-03T10:00:00.000Z',
  };
  writeLines(geminiPath(home, GEMINI), [geminiHeader(GEMINI), ...geminiTurn(gemini)]);
  const pi = { ...turn('x4', 'Fix the pi parser', 'Fixed.'), at: '2026-11-04T10:00:00.000Z' };
  writeLines(piPath(home, 'pi-1'), [piHeader('pi-1'), ...piTurn(pi)]);
}
