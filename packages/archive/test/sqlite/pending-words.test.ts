import { SqliteCatalogue } from '@robota-sdk/agent-archive/sqlite';
import { expect, it, onTestFinished } from 'vitest';
import { claudePath, claudeTurn, temporaryHome, writeLines } from '../generated-home.ts';

/** Together more than the characters that are indexed in one go. */
const SESSIONS = ['alder', 'birch', 'cedar', 'elder', 'maple'];
const FILLER = 'The lease is renewed too often. '.repeat(10_000);

it('finds the first and the last word of every session, however much text is indexed together', async () => {
  const { home, catalogue } = openCatalogue();
  for (const name of SESSIONS) writeSession(home, name, `${name}first ${FILLER} ${name}last`);

  await catalogue.refresh();

  expect(await foundIn(catalogue, 'first')).toEqual(SESSIONS.map((name) => [name]));
  expect(await foundIn(catalogue, 'last')).toEqual(SESSIONS.map((name) => [name]));
});

it('replaces the words of several sessions in one refresh', async () => {
  const { home, catalogue } = openCatalogue();
  for (const name of SESSIONS) writeSession(home, name, `${name}before`);
  await catalogue.refresh();
  for (const name of SESSIONS) writeSession(home, name, `${FILLER} ${name}after`);

  await catalogue.refresh();

  expect(await foundIn(catalogue, 'before')).toEqual(SESSIONS.map(() => []));
  expect(await foundIn(catalogue, 'after')).toEqual(SESSIONS.map((name) => [name]));
});

function openCatalogue() {
  const home = temporaryHome();
  const catalogue = new SqliteCatalogue({ home, environment: {} });
  onTestFinished(() => catalogue.close());
  return { home, catalogue };
}

function writeSession(home: string, name: string, answer: string): void {
  const turn = { id: `turn-${name}`, prompt: `What about ${name}?`, answer };
  writeLines(claudePath(home, name), claudeTurn(turn, { sessionId: name }));
}

/** For each session the ids of those that a search for its own word with this ending finds. */
function foundIn(catalogue: SqliteCatalogue, ending: string): Promise<string[][]> {
  const search = async (name: string) => {
    const { sessions } = await catalogue.search({ text: `${name}${ending}` });
    return sessions.map(({ session }) => session.id);
  };
  return Promise.all(SESSIONS.map(search));
}
