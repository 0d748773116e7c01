import { expect, it } from 'vitest';
import { sceneAt, scenePainted } from './scenes.ts';
import { screenSvg } from './screen-svg.ts';

it('looks as the picture in the README shows it', async () => {
  const theme = { colors: true, background: 'dark', depth: 'truecolor' } as const;
  const picture = await screenSvg(scenePainted(sceneAt('turn', 100, theme)), 100);

  await expect(picture).toMatchFileSnapshot('../../../../docs/pictures/terminal.svg');
});

it('draws text, colours and bands, and nothing that is a tag', async () => {
  const picture = await screenSvg('\u001b[1;31ma<b>\u001b[0m \u001b[48;2;1;2;3mband\u001b[0m', 20);

  expect(picture).toContain('fill="#d1606b" font-weight="bold">a&lt;b&gt;</text>');
  expect(picture).toContain('height="19" fill="#010203"/>');
});
