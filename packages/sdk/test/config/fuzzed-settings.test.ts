import { says, scriptedProvider } from '@robota-sdk/agent-core/testing';
import { InteractiveSession, resolveSettings } from '@robota-sdk/agent-sdk';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { useTestPlace } from '../sandbox-home.ts';
import { SETTINGS_OF_CLAUDE_CODE } from './settings-of-claude-code.ts';

const place = useTestPlace();
/** Many more with ROBOTA_PROPERTY_RUNS. */
const RUNS = Number(process.env.ROBOTA_PROPERTY_RUNS ?? 250);
const PLACES = [
  '.robota/settings.json',
  '.robota/settings.local.json',
  '.claude/settings.json',
  '.claude/settings.local.json',
];

/** Replaces, removes and adds entries of settings as people have them. */
const broken = fc
  .array(
    fc.record({
      at: fc.nat(10_000),
      to: fc.oneof(
        fc.jsonValue({ maxDepth: 3 }),
        fc.constantFrom(null, '', '[', 'Bash(', -1, {}, [], [[]], '$ENV:NOT_SET', '__proto__'),
      ),
      key: fc.constantFrom(undefined, '__proto__', 'constructor', 'hooks', 'langage', 'toString'),
    }),
    { minLength: 1, maxLength: 6 },
  )
  .map((changes) => {
    const settings = structuredClone(SETTINGS_OF_CLAUDE_CODE) as unknown;
    for (const { at, to, key } of changes) {
      const holders = objectsIn(settings);
      const holder = holders[at % holders.length];
      if (!holder) continue;
      const keys = Object.keys(holder);
      const name = key ?? keys[at % Math.max(keys.length, 1)] ?? 'x';
      Object.defineProperty(holder, name, {
        value: structuredClone(to),
        enumerable: true,
        configurable: true,
        writable: true,
      });
    }
    return settings;
  });

function objectsIn(value: unknown): Record<string, unknown>[] {
  if (typeof value !== 'object' || value === null) return [];
  return [value as Record<string, unknown>, ...Object.values(value).flatMap(objectsIn)];
}

it(`${RUNS} settings that are wrong somewhere never stop the program`, async () => {
  const anywhere = fc.record({
    project: fc.tuple(fc.constantFrom(...PLACES), broken),
    user: broken,
    torn: fc.boolean(),
  });
  await fc.assert(
    fc.asyncProperty(anywhere, async ({ project: [path, settings], user, torn }) => {
      for (const file of PLACES) place.write(file, '');
      place.write(path, JSON.stringify(settings));
      const text = JSON.stringify(user);
      place.writeHome('.claude/settings.json', torn ? text.slice(0, -1) : text);

      const trusted = await resolveSettings({ cwd: place.project, trust: true });
      const untrusted = await resolveSettings({ cwd: place.project, trust: false });

      expect(trusted.notices.every((notice) => typeof notice === 'string')).toBe(true);
      expect(untrusted.config.hooks ?? {}).toBeTypeOf('object');
      expect(({} as Record<string, unknown>).polluted).toBeUndefined();
    }),
    { numRuns: RUNS, seed: 23 },
  );
});

it('sessions start with them', async () => {
  await fc.assert(
    fc.asyncProperty(broken, async (settings) => {
      place.writeHome('.claude/settings.json', JSON.stringify(settings));
      const session = new InteractiveSession({
        cwd: place.project,
        provider: scriptedProvider(says('hi')),
        builtinTools: false,
      });

      await session.whenReady();
      await session.shutdown();
    }),
    { numRuns: 25, seed: 23 },
  );
});
