import { describe, expect, it } from 'vitest';
import {
  awaitLateToken,
  findToken,
  forgetToken,
  keepToken,
  type TokenPlace,
} from '../src/access-token.ts';

function placeAt(
  hash: string,
  channel?: BroadcastChannel,
): TokenPlace & { addresses: string[]; kept: Map<string, string> } {
  const kept = new Map<string, string>();
  const addresses: string[] = [];
  return {
    kept,
    addresses,
    channel,
    location: { hash, pathname: '/s/robota/x', search: '?block=3', origin: 'http://127.0.0.1' },
    storage: {
      getItem: (key) => kept.get(key) ?? null,
      setItem: (key, value) => void kept.set(key, value),
      removeItem: (key) => void kept.delete(key),
    },
    replaceAddress: (address) => void addresses.push(address),
    redeem: async (code) => {
      if (code !== 'good') throw new Error('unknown');
      return 'the-token';
    },
  };
}

describe('the token of a tab', () => {
  it('comes from a code, which is removed from the address at once', async () => {
    const place = placeAt('#code=good');

    expect(await findToken(place)).toBe('the-token');
    expect(place.addresses).toEqual(['/s/robota/x?block=3']);
    expect([...place.kept.values()]).toEqual(['the-token']);
  });

  it('is missing after an unknown code', async () => {
    const place = placeAt('#code=bad');

    expect(await findToken(place)).toBeUndefined();
    expect(place.addresses).toEqual(['/s/robota/x?block=3']);
  });

  it('survives a reload and is removed on sign-out', async () => {
    const place = placeAt('');
    keepToken(place, 'kept');
    expect(await findToken(place)).toBe('kept');

    forgetToken(place);

    expect(await findToken(place)).toBeUndefined();
  });

  it('is shared between tabs', async () => {
    const [one, two] = [new BroadcastChannel('robota-test'), new BroadcastChannel('robota-test')];
    keepToken(placeAt('', one), 'from-the-other');

    expect(await findToken(placeAt('', two))).toBe('from-the-other');
    one.close();
    two.close();
  });

  it('is accepted from a tab that answers late, and no longer shared once removed', async () => {
    const [one, two] = [new BroadcastChannel('robota-late'), new BroadcastChannel('robota-late')];
    const [busy, fresh] = [placeAt('', one), placeAt('', two)];
    expect(await findToken(fresh)).toBeUndefined();
    const late = new Promise((resolve) => awaitLateToken(fresh, resolve));

    one.postMessage({ token: 'late' });

    expect(await late).toBe('late');
    expect([...fresh.kept.values()]).toEqual(['late']);
    keepToken(busy, 'late');
    forgetToken(busy);
    forgetToken(fresh);
    expect(await findToken(fresh)).toBeUndefined();
    one.close();
    two.close();
  });
});
