import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { SqliteCatalogue } from '@robota-sdk/agent-archive/sqlite';
import { expect, it, onTestFinished } from 'vitest';
import { claudePath, claudeTurn, temporaryHome, writeLines } from '../generated-home.ts';

function homeWith(directories: readonly string[]): SqliteCatalogue {
  const home = temporaryHome();
  for (const [number, directory] of directories.entries()) {
    const cwd = join(home, directory);
    mkdirSync(cwd, { recursive: true });
    const turn = { id: `t${number}`, prompt: `Prompt ${number}`, answer: 'Yes.' };
    const path = claudePath(home, `s${number}`);
    writeLines(path, claudeTurn(turn, { sessionId: `s${number}`, cwd }));
  }
  const catalogue = new SqliteCatalogue({ home, environment: {} });
  onTestFinished(() => catalogue.close());
  return catalogue;
}

it('keeps projects of one name apart, and names a project plainly that is the only one', async () => {
  const catalogue = homeWith(['one/app', 'two/app', 'two/app', 'tool']);
  await catalogue.refresh();

  const { rows } = await catalogue.usage({ by: 'project' });

  expect(rows.map(({ label, requests }) => [label, requests])).toEqual([
    [expect.stringMatching(/^app \(.*\/two\/app\)$/), 2],
    [expect.stringMatching(/^app \(.*\/one\/app\)$/), 1],
    ['tool', 1],
  ]);
  expect(rows.map(({ key }) => key)).toEqual([
    expect.stringMatching(/^path:.*\/two\/app$/),
    expect.stringMatching(/^path:.*\/one\/app$/),
    'tool',
  ]);
});

it('shows the sessions by the names that a person gave them', async () => {
  const catalogue = homeWith(['one', 'one']);
  await catalogue.refresh();
  await catalogue.labels.set({ type: 'claude-agent-sdk', id: 's1' }, { name: 'The big one' });

  const { rows } = await catalogue.usage({ by: 'session' });

  expect(rows.map(({ label }) => label)).toEqual(['Prompt 0', 'The big one']);
});
