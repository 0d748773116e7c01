import { PageLinks } from '@robota-sdk/agent-transport/http';
import { expect, it } from 'vitest';

const SECRET = 'a-secret-of-a-server-that-is-long-enough';
const ada = { user: 'ada', roles: new Set(['read', 'prompt'] as const), tokenId: '12345678' };

it('opens a page once, and the page token survives a server restart', () => {
  const links = new PageLinks(SECRET);
  const { code } = links.create(ada);

  const token = links.redeem(code) ?? '';

  expect(links.redeem(code)).toBeUndefined();
  expect(links.identify(token)).toEqual(ada);
  expect(new PageLinks(SECRET).identify(token)).toEqual(ada);
  expect(new PageLinks(`${SECRET}2`).identify(token)).toBeUndefined();
});

it('expires a link after two minutes and a page after a week', () => {
  let now = 1_000;
  const links = new PageLinks(SECRET, () => now);
  const { code } = links.create(ada);
  const token = links.redeem(links.create(ada).code) ?? '';

  now += 2 * 60_000;
  const late = links.redeem(code);
  now += 7 * 24 * 60 * 60_000;

  expect(late).toBeUndefined();
  expect(links.identify(token)).toBeUndefined();
});

it.each([
  ['another payload', (token: string) => token.replace(/^page\.[^.]+/, 'page.eyJyb2xlcyI6W119')],
  ['another signature', (token: string) => `${token.slice(0, -2)}xx`],
  ['no signature', (token: string) => token.split('.').slice(0, 2).join('.')],
  ['words', () => 'page.what.ever'],
  ['nothing', () => ''],
])('knows no token with %s', (_what, change) => {
  const links = new PageLinks(SECRET);
  const token = links.redeem(links.create(ada).code) ?? '';

  expect(links.identify(change(token))).toBeUndefined();
});
