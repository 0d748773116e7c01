import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { SqliteCatalogue } from '@robota-sdk/agent-archive/sqlite';
import { describe, expect, it } from 'vitest';
import { claudeLines, claudePath, temporaryHome, writeLines } from '../generated-home.ts';

/** A home with one session in a repository that has a remote. */
function homeWithProject() {
  const home = temporaryHome();
  const before = join(home, 'code/alpha');
  mkdirSync(join(before, '.git'), { recursive: true });
  writeFileSync(
    join(before, '.git/config'),
    '[remote "origin"]\n\turl = git@github.com:acme/alpha.git\n',
  );
  writeLines(
    claudePath(home, 'c1'),
    claudeLines([{ id: 't1', prompt: 'hello', answer: 'there' }], { sessionId: 'c1', cwd: before }),
  );
  return { home, before, after: join(home, 'code/beta') };
}

async function sessionsIn(home: string, here: string): Promise<string[]> {
  const catalogue = new SqliteCatalogue({ home, environment: {} });
  try {
    await catalogue.refresh();
    return (await catalogue.list({ here })).sessions.map(({ id }) => id);
  } finally {
    await catalogue.close();
  }
}

describe('a project whose directory was moved', () => {
  it('keeps its sessions', async () => {
    const { home, before, after } = homeWithProject();
    expect(await sessionsIn(home, before)).toEqual(['c1']);

    renameSync(before, after);

    expect(await sessionsIn(home, after)).toEqual(['c1']);
  });

  it('keeps them in a catalogue that was built anew since', async () => {
    const { home, before, after } = homeWithProject();
    await sessionsIn(home, before);
    renameSync(before, after);

    rmSync(join(home, '.robota/catalogue.sqlite'));

    expect(await sessionsIn(home, after)).toEqual(['c1']);
  });

  it('bears a line that a crash has torn', async () => {
    const { home, before, after } = homeWithProject();
    mkdirSync(join(home, '.robota'), { recursive: true });
    writeFileSync(join(home, '.robota/projects.jsonl'), '{"version":1,"path":"/x","ke');
    await sessionsIn(home, before);
    renameSync(before, after);

    rmSync(join(home, '.robota/catalogue.sqlite'));

    expect(await sessionsIn(home, after)).toEqual(['c1']);
  });
});

/** A home with a repository that has no remote, and a session in a folder of it. */
function homeWithLocalProject({ commits }: { readonly commits: number }) {
  const home = temporaryHome();
  const before = join(home, 'code/alpha');
  mkdirSync(join(before, 'src'), { recursive: true });
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.com', ...args], {
      cwd: before,
      env: { PATH: process.env.PATH, HOME: home, GIT_CONFIG_NOSYSTEM: '1' },
      stdio: 'pipe',
    });
  git('init', '-q');
  for (let count = 0; count < commits; count++) git('commit', '-q', '--allow-empty', '-m', home);
  addSession(home, 'c1', join(before, 'src'));
  return { home, before, after: join(home, 'code/beta') };
}

function addSession(home: string, id: string, cwd: string): void {
  const turn = { id: `t-${id}`, prompt: 'hello', answer: 'there' };
  writeLines(claudePath(home, id), claudeLines([turn], { sessionId: id, cwd }));
}

describe('a project without a remote', () => {
  it.each([0, 1, 3])('keeps its sessions when it is moved, after %i commits', async (commits) => {
    const { home, before, after } = homeWithLocalProject({ commits });
    expect(await sessionsIn(home, before)).toEqual(['c1']);

    renameSync(before, after);
    expect(await sessionsIn(home, after)).toEqual(['c1']);

    addSession(home, 'c2', after);
    rmSync(join(home, '.robota/catalogue.sqlite'));
    expect((await sessionsIn(home, after)).sort()).toEqual(['c1', 'c2']);
  });

  it('keeps them on another disk, where every file is a new one', async () => {
    const { home, before, after } = homeWithLocalProject({ commits: 2 });
    await sessionsIn(home, before);

    cpSync(before, after, { recursive: true });
    rmSync(before, { recursive: true });

    expect(await sessionsIn(home, after)).toEqual(['c1']);
  });

  it('keeps them when it gets its first commit, and later a remote', async () => {
    const { home, before, after } = homeWithLocalProject({ commits: 0 });
    await sessionsIn(home, before);
    renameSync(before, after);
    const commit = ['commit', '-q', '--allow-empty', '-m', 'first'];
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.com', ...commit], {
      cwd: after,
      env: { PATH: process.env.PATH, HOME: home, GIT_CONFIG_NOSYSTEM: '1' },
    });
    addSession(home, 'c2', after);
    expect((await sessionsIn(home, after)).sort()).toEqual(['c1', 'c2']);

    writeFileSync(
      join(after, '.git/config'),
      '[remote "origin"]\n\turl = git@github.com:acme/alpha.git\n',
    );
    addSession(home, 'c3', after);
    expect((await sessionsIn(home, after)).sort()).toEqual(['c1', 'c2', 'c3']);

    rmSync(join(home, '.robota/catalogue.sqlite'));
    expect((await sessionsIn(home, after)).sort()).toEqual(['c1', 'c2', 'c3']);
  });

  it('leaves them to nobody who comes to its old place', async () => {
    const { home, before, after } = homeWithLocalProject({ commits: 1 });
    await sessionsIn(home, before);
    renameSync(before, after);
    mkdirSync(join(before, '.git'), { recursive: true });

    expect(await sessionsIn(home, before)).toEqual([]);
    expect(await sessionsIn(home, after)).toEqual(['c1']);
  });
});
