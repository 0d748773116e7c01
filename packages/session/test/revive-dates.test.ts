import { reviveDates } from '@robota-sdk/agent-session';
import { expect, it } from 'vitest';

const message = (timestamp: unknown) => ({ id: 'm', role: 'user', timestamp });

it('makes dates of all texts that Date reads, and leaves the others as they are', () => {
  const texts = [
    '2026-11-17T01:15:57.086Z',
    '2026-11-17T01:15:00.000Z',
    '2026-11-17T01:15:59.999Z',
    '2026-11-17T01:16:00.001Z',
    '1999-02-28T23:59:59.500Z',
    '2024-02-29T00:00:00.000Z',
    '2026-11-17T01:15:57Z',
    '2026-11-17T01:15:57.086+02:00',
    '2026-11-17',
    '2026-11-17T01:15:60.000Z',
    '2026-11-17T01:15:5x.000Z',
    '2026-11-17T01:15:57,086Z',
    '2026-11-17T01:99:57.086Z',
    '2026-11-17T01:99:57.087Z',
    '2026-13-17T01:15:57.086Z',
    'abcdefghijklmnopq57.086Z',
    'yesterday',
    '',
  ];

  const revived = reviveDates(texts.map(message)).map(({ timestamp }) => timestamp);

  expect(revived).toEqual(
    texts.map((text) => (Number.isNaN(Date.parse(text)) ? text : new Date(text))),
  );
});
