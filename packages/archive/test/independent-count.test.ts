import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SqliteCatalogue } from '@robota-sdk/agent-archive/sqlite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fillRecordedHome } from '../../transcript/test/recorded-home.ts';

const home = mkdtempSync(join(tmpdir(), 'robota-count-'));
const catalogue = new SqliteCatalogue({ home, environment: {} });

beforeAll(async () => {
  fillRecordedHome(home);
  await catalogue.refresh();
}, 120_000);
afterAll(async () => {
  await catalogue.close();
  rmSync(home, { recursive: true, force: true });
});

type Line = Readonly<Record<string, unknown>>;

interface Count {
  readonly requests: number;
  readonly output: number;
}

/** Counted by a reader that knows nothing of our parsers. */
describe('an independent count of the recordings', () => {
  it('finds as many answers of Claude Code, by the ids of their messages', async () => {
    const byId = new Map<string, number>();
    for (const { message } of records('.claude')) {
      if (!isRecord(message) || !isRecord(message.usage) || typeof message.id !== 'string')
        continue;
      // Messages that the program wrote itself, such as errors, cost nothing.
      if (message.model === '<synthetic>') continue;
      keepFullest(byId, message.id, Number(message.usage.output_tokens ?? 0));
    }

    expect(await counted('claude')).toEqual(sumOf(byId));
  });

  it('finds as many responses of Codex, by their ids or by the rises of its total', async () => {
    const byId = new Map<string, number>();
    for (const [name, lines] of files('.codex')) {
      const said = lines.filter(({ type }) => type === 'token_usage_record');
      for (const { payload } of said) {
        if (!isRecord(payload) || !isRecord(payload.usage)) continue;
        keepFullest(byId, String(payload.response_id), Number(payload.usage.output_tokens ?? 0));
      }
      // Older versions write only what the session has used so far. A fork begins with a copy of what it comes from,
      // whose header is then the last one.
      const header = lines.findLast(({ type }) => type === 'session_meta')?.payload;
      const origin = isRecord(header) ? String(header.id) : name;
      if (said.length > 0) continue;
      for (const [total, output] of rises(lines)) byId.set(`${origin} ${total}`, output);
    }

    expect(await counted('codex')).toEqual(sumOf(byId));
  });

  it('finds as many answers of Gemini CLI, by the ids of their messages', async () => {
    const byId = new Map<string, number>();
    for (const { id, tokens } of records('.gemini')) {
      if (typeof id !== 'string' || !isRecord(tokens)) continue;
      // The total also holds what was thought.
      keepFullest(byId, id, Number(tokens.total ?? 0) - Number(tokens.input ?? 0));
    }

    expect(await counted('gemini')).toEqual(sumOf(byId));
  });
});

/** A compaction of Claude Code is left out: no message stands for it, it is only known from the program's own totals. */
async function counted(agent: string): Promise<Count> {
  const { rows } = await catalogue.usage({ by: 'cause', agent });
  const shown = rows.filter(({ key }) => agent !== 'claude' || key !== 'compaction');
  return {
    requests: shown.reduce((sum, { requests }) => sum + requests, 0),
    output: shown.reduce((sum, { outputTokens }) => sum + outputTokens, 0),
  };
}

function keepFullest(byId: Map<string, number>, id: string, output: number): void {
  byId.set(id, Math.max(byId.get(id) ?? 0, output));
}

function sumOf(byId: ReadonlyMap<string, number>): Count {
  return { requests: byId.size, output: [...byId.values()].reduce((sum, one) => sum + one, 0) };
}

/** Totals that are higher than the one before, each with the output of its request. */
function rises(lines: readonly Line[]): Map<number, number> {
  const found = new Map<number, number>();
  let before = 0;
  for (const { payload } of lines) {
    if (!isRecord(payload) || payload.type !== 'token_count' || !isRecord(payload.info)) continue;
    const { total_token_usage: all, last_token_usage: last } = payload.info;
    const total = isRecord(all) ? Number(all.total_tokens) : 0;
    // A prompt that does not fit sets the total to the whole window and has no output.
    const output = isRecord(last) ? Number(last.output_tokens) : 0;
    if (total > before && output > 0) found.set(total, output);
    before = total;
  }
  return found;
}

function records(folder: string): Line[] {
  return files(folder).flatMap(([, lines]) => lines);
}

/** Every object of every line of the files below a folder, and of the lists in files that are one object. */
function files(folder: string): [name: string, lines: Line[]][] {
  const names = readdirSync(join(home, folder), { recursive: true, encoding: 'utf8' });
  return names
    .filter((name) => /\.jsonl?$/.test(name))
    .map((name) => {
      const text = readFileSync(join(home, folder, name), 'utf8');
      const values = name.endsWith('l') ? text.split('\n').map(parsed) : [parsed(text)];
      return [name, values.filter(isRecord).flatMap(withMessages)];
    });
}

function withMessages(value: Line): Line[] {
  const inner = isRecord(value.$set) ? value.$set.messages : value.messages;
  return [value, ...(Array.isArray(inner) ? inner.filter(isRecord) : [])];
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // Torn by a program that was killed.
    return undefined;
  }
}

function isRecord(value: unknown): value is Line {
  return typeof value === 'object' && value !== null;
}
