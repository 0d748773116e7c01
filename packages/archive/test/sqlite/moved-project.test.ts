import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
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
