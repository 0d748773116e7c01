import { appendFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  createOriginMemory,
  findAgentSessions,
  parseTranscriptFile,
  readFamily,
  registeredAgent,
  takeInventory,
} from '@robota-sdk/agent-transcript/architectures';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { fillRecordedHome } from '../recorded-home.ts';

const place = { home: mkdtempSync(join(tmpdir(), 'robota-inventory-')), environment: {} };

beforeAll(() => fillRecordedHome(place.home));
afterAll(() => rmSync(place.home, { recursive: true, force: true }));

describe('an inventory of all recordings', () => {
  it('contains every session that the finders find', async () => {
    const found: string[] = [];
    for await (const { type, id } of findAgentSessions(place)) found.push(`${type} ${id}`);
    const { families } = await takeInventory(place);
    const listed = new Set(
      families.filter(({ isOrphan }) => !isOrphan).map(({ type, id }) => `${type} ${id}`),
    );

    expect(found.length).toBeGreaterThan(100);
    expect(found.filter((session) => !listed.has(session))).toEqual([]);
  });

  it('reads each session as its layout does', async () => {
    const { families } = await takeInventory(place);
    const different: string[] = [];
    for (const family of families) {
      if (family.isOrphan) continue;
      const whole = await parseTranscriptFile(family.type, family.path);
      if (JSON.stringify(await readFamily(family)) !== JSON.stringify(whole))
        different.push(family.path);
    }

    expect(different).toEqual([]);
  });

  it('lists subagents whose session is gone', async () => {
    const { families } = await takeInventory(place);
    const orphans: string[] = [];
    const finder = registeredAgent('claude-agent-sdk').finder;
    for await (const { path } of finder?.findOrphans?.(place) ?? []) orphans.push(path);

    const named = families.filter(({ isOrphan }) => isOrphan).map(({ path }) => path);

    expect(named.sort()).toEqual(orphans.sort());
  });
});

describe('an inventory that is taken again', () => {
  it('reads no head twice', async () => {
    const memory = createOriginMemory();
    await takeInventory({ ...place, memory });
    const kept: string[] = [];
    const watching = { ...memory, keep: (path: string) => kept.push(path) };

    await takeInventory({ ...place, memory: watching });

    expect(kept).toEqual([]);
  });

  it("changes a session's version when one of its files grows, appears or disappears", async () => {
    const home = mkdtempSync(join(tmpdir(), 'robota-inventory-'));
    onTestFinished(() => rmSync(home, { recursive: true, force: true }));
    const project = join(home, '.claude/projects/-work');
    const agent = join(project, 's1/subagents/agent-a1.jsonl');
    mkdirSync(join(project, 's1/subagents'), { recursive: true });
    writeFileSync(join(project, 's1.jsonl'), '{}\n');
    const version = async () =>
      (await takeInventory({ home, environment: {} })).families[0]?.version;

    const versions = [await version()];
    appendFileSync(join(project, 's1.jsonl'), '{}\n');
    versions.push(await version());
    writeFileSync(agent, '{}\n');
    versions.push(await version());
    rmSync(agent);

    expect(new Set(versions).size).toBe(3);
    expect(await version()).toBe(versions[1]);
  });
});
