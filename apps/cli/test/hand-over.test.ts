import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  claudeLines,
  claudePath,
  writeLines,
} from '../../../packages/archive/test/generated-home.ts';
import { withFakeAgents } from './support/fake-agents.ts';
import { createPlace, type Place, runRobota } from './support/run-robota.ts';
import { KEYS, TerminalScreen } from './support/terminal-screen.ts';

const ID = '11111111-2222-4333-8444-555555555555';
let place: Place;

beforeEach(() => {
  place = createPlace();
  writeLines(
    claudePath(place.home, ID),
    claudeLines([{ id: 'hay', prompt: 'find the haystack', answer: 'It is in the barn.' }], {
      sessionId: ID,
      cwd: place.project,
    }),
  );
});

afterEach(() => {
  place[Symbol.dispose]();
});

const robota = (...args: string[]) => runRobota(place, args);

interface WrittenReport {
  readonly status: string;
  readonly id: string;
  readonly file: string;
  readonly resume: readonly string[];
  readonly report: { readonly fidelity: { readonly userTexts: object } };
}

describe('robota resume --as', () => {
  it.each(['claude', 'codex', 'gemini'])('writes a session that %s goes on with', async (to) => {
    const source = readFileSync(claudePath(place.home, ID), 'utf8');

    const { code, stdout } = await robota('resume', ID, '--as', to, '--json');

    const result = JSON.parse(stdout) as WrittenReport;
    expect(code).toBe(0);
    expect(result).toMatchObject({
      status: 'written',
      report: { fidelity: { userTexts: { kept: 1, of: 1 }, assistantTexts: { kept: 1, of: 1 } } },
    });
    expect(result.resume.join(' ')).toContain(result.id);
    expect(readFileSync(result.file, 'utf8')).toContain('It is in the barn.');
    expect(readFileSync(claudePath(place.home, ID), 'utf8')).toBe(source);
  });

  it('says what survives before and after, for people, and how to go on and back', async () => {
    const { code, stdout, stderr } = await robota('resume', ID, '--as', 'codex');

    const [id = ''] = stdout.split('\n');
    expect(code).toBe(0);
    expect(stderr).toMatch(
      /Before:\n {2}prompts: 1 of 1 kept[\s\S]*After:\n {2}prompts: 1 of 1 kept/,
    );
    expect(stderr).toContain(`codex resume ${id}`);
    expect(stderr).toContain(`robota resume --remove ${id}`);
  });

  it('writes nothing with --dry-run', async () => {
    const { stdout } = await robota('resume', ID, '--as', 'codex', '--dry-run', '--json');

    expect(JSON.parse(stdout)).toMatchObject({ status: 'planned', to: 'codex' });
    expect(existsSync(`${place.home}/.codex`)).toBe(false);
  });

  it('takes back what it wrote, unless somebody went on with it', async () => {
    const write = async () =>
      JSON.parse((await robota('resume', ID, '--as', 'codex', '--json')).stdout) as WrittenReport;
    const [untouched, continued] = [await write(), await write()];
    appendFileSync(continued.file, '{}\n');

    const removed = await robota('resume', '--remove', untouched.id);
    const kept = await robota('resume', '--remove', continued.id);
    const unknown = await robota('resume', '--remove', ID);

    expect([removed.code, existsSync(untouched.file)]).toEqual([0, false]);
    expect([kept.code, existsSync(continued.file)]).toEqual([1, true]);
    expect(kept.stderr).toContain('the session was continued after the hand-over');
    expect(unknown.stderr).toContain('No hand-over with the id');
  });

  it('asks for consent where the target cannot read the session whole', async () => {
    const long = '22222222-2222-4333-8444-555555555555';
    const turns = Array.from({ length: 40 }, (_, turn) => ({
      id: `turn${turn}`,
      prompt: `question ${turn}`,
      answer: 'word '.repeat(30_000),
    }));
    writeLines(claudePath(place.home, long), claudeLines(turns, { sessionId: long }));

    const refused = await robota('resume', long, '--as', 'codex');
    const left = await robota('resume', long, '--as', 'codex', '--when-long', 'leave', '--json');

    expect(refused.code).toBe(2);
    expect(refused.stderr).toMatch(/takes about \d+ tokens[\s\S]*--when-long summarise/);
    expect(JSON.parse(left.stdout)).toMatchObject({ status: 'written' });
  });

  it('refuses other targets in a sentence', async () => {
    const { code, stderr } = await robota('resume', ID, '--as', 'pi');

    expect(code).toBe(1);
    expect(stderr).toMatch(/cannot be handed over to "pi"; possible are .*codex.*robota/);
  });

  it('goes on in the terminal of our own engine as a copy that names its origin', async () => {
    await using screen = new TerminalScreen(place, ['resume', ID, '--as', 'robota'], {
      columns: 120,
    });

    await screen.shows('❯ find the haystack', `Continuing Claude Code session ${ID}`);
  });

  it("gives the target's program the terminal", async () => {
    const env = { ...withFakeAgents(place) };
    await using screen = new TerminalScreen(place, ['resume', ID, '--as', 'codex'], { env });

    await screen.shows('After:', /codex resume [0-9a-f-]+/);
    screen.type(KEYS.ctrlC);
    await screen.exited();
  });
});
