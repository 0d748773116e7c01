import { lstatSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { editSettings } from '../../src/config/edit-settings.ts';
import { rememberProjectRule } from '../../src/config/remember-rule.ts';
import { useTestPlace } from '../sandbox-home.ts';

const place = useTestPlace();

it('a remembered rule keeps everything else in the file', async () => {
  const file = place.write('.robota/settings.local.json', { language: 'ko' });

  await rememberProjectRule(place.project, 'Bash(ls)');

  expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({
    language: 'ko',
    permissions: { allow: ['Bash(ls)'] },
  });
});

it.each(['[1]', '"text"', '{"a":'])(
  'a file that holds %s is not overwritten by a rule',
  async (content) => {
    const file = place.write('.robota/settings.local.json', content);

    await expect(rememberProjectRule(place.project, 'Bash(ls)')).rejects.toMatchObject({ file });

    expect(readFileSync(file, 'utf8')).toBe(content);
  },
);

it('a rule of a project is not written through a link that leads out of it', async () => {
  const outside = place.writeHome('.robota/settings.json', { language: 'ko' });
  mkdirSync(join(place.project, '.robota'));
  symlinkSync(outside, join(place.project, '.robota/settings.local.json'));

  await expect(rememberProjectRule(place.project, 'Bash(ls)')).rejects.toThrow('leads out of');

  expect(readFileSync(outside, 'utf8')).toBe('{"language":"ko"}');
});

it('a rule of a project is not written into a folder that leads out of it', async () => {
  const elsewhere = place.writeHome('other/.robota/settings.local.json', {});
  symlinkSync(join(place.home, 'other/.robota'), join(place.project, '.robota'));

  await expect(rememberProjectRule(place.project, 'Bash(ls)')).rejects.toThrow('leads out of');

  expect(readFileSync(elsewhere, 'utf8')).toBe('{}');
});

it('a missing file of a project is not created in a folder that leads out of it', async () => {
  mkdirSync(join(place.home, 'other'));
  symlinkSync(join(place.home, 'other'), join(place.project, '.robota'));

  await expect(rememberProjectRule(place.project, 'Bash(ls)')).rejects.toThrow('leads out of');
});

it('the user’s own settings may be a link, which a change keeps', async () => {
  const real = place.writeHome('dotfiles/robota.json', { language: 'ko' });
  mkdirSync(join(place.home, '.robota'));
  const file = join(place.home, '.robota/settings.json');
  symlinkSync(real, file);

  await editSettings({ file }, (settings) => ({ ...settings, model: 'm' }));

  expect(lstatSync(file).isSymbolicLink()).toBe(true);
  expect(JSON.parse(readFileSync(real, 'utf8'))).toEqual({ language: 'ko', model: 'm' });
});
