import { afterEach, describe, expect, it, vi } from 'vitest';
import { seatbeltProfile } from '../../src/confinement/seatbelt.ts';
import { seccompFilter } from '../../src/confinement/seccomp-filter.ts';
import { scratch } from '../scratch.ts';

describe('the Seatbelt profile', () => {
  afterEach(() => vi.unstubAllEnvs());

  it('denies writes and the network to read-only commands', async () => {
    vi.stubEnv('ROBOTA_HOME', `${await scratch({})}/absent`);

    const profile = seatbeltProfile({ kind: 'read-only', roots: ['/work'] });

    expect(profile).toContain('(deny file-write*)(deny network*)');
    expect(profile).not.toContain('subpath');
  });

  it('makes the project writable, except for files that make programs run code', async () => {
    const root = await scratch({ 'a"b/x': '' });

    const profile = seatbeltProfile({ kind: 'workspace', roots: [`${root}/a"b`] });

    expect(profile).toContain(`(subpath "${root}/a\\"b")`);
    expect(profile.indexOf(`(subpath "${root}/a\\"b/.git/hooks")`)).toBeGreaterThan(
      profile.indexOf('(allow file-write* (subpath'),
    );
  });
});

describe('the system call filter', () => {
  it.each([
    ['x64', 0xc000_003e, 41],
    ['arm64', 0xc000_00b7, 198],
  ])('uses the numbers of %s', (processor, arch, socket) => {
    const filter = seccompFilter(processor);
    const values = Array.from({ length: 14 }, (_, index) => filter?.readUInt32LE(index * 8 + 4));

    expect([filter?.length, values[1], values[8], values.at(-1)]).toEqual([
      112,
      arch,
      socket,
      0x7fff_0000,
    ]);
  });

  it('does not exist for unknown processors', () => {
    expect(seccompFilter('riscv64')).toBeUndefined();
  });
});
