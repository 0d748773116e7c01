import { parseTranscripts } from '@robota-sdk/agent-transcript';
import { describe, expect, it } from 'vitest';
import { brokenPromises } from './invalid-blocks.ts';
import { smallSessions } from './small-sessions.ts';

/** One small session of each kind; every byte of it is a place at which a writer can be killed. */
const sessions = ['pi', 'opencode', 'acp', 'robota', 'claude', 'codex', 'gemini'].flatMap(
  (agent) => {
    const own = smallSessions.filter(({ name }) => name.startsWith(agent));
    const long = own.filter(({ raw }) => raw.main.length > 3000 && !raw.main.startsWith('{\n'));
    const chosen = long.sort((one, other) => one.raw.main.length - other.raw.main.length)[0];
    return chosen ?? own.slice(0, 1);
  },
);

describe.each(sessions)('$name, cut at any byte', ({ type, raw }) => {
  it('shows the same as at the end of the last complete line, and counts the torn one', () => {
    const bytes = Buffer.from(raw.main);
    let complete = '';
    let before = parseTranscripts(type, { ...raw, main: '' });
    for (let end = 1; end < bytes.length; end++) {
      const main = bytes.toString('utf8', 0, end);
      const torn = main.slice(complete.length);
      if (torn.endsWith('\n')) {
        complete = main;
        before = parseTranscripts(type, { ...raw, main });
        expect(brokenPromises(before)).toEqual([]);
        continue;
      }
      const parsed = parseTranscripts(type, { ...raw, main });
      if (isRecord(torn)) continue;
      expect(parsed.blocks).toEqual(before.blocks);
      expect(parsed.subagents).toEqual(before.subagents);
      expect(parsed.skipped.lines).toBe(before.skipped.lines + 1);
    }
  });
});

function isRecord(text: string): boolean {
  try {
    return typeof JSON.parse(text) === 'object';
  } catch {
    return false;
  }
}
