import { appendFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseTranscriptFile, readLastBlocks } from '@robota-sdk/agent-transcript/architectures';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { CONTEXT, GeminiChat, toolCall } from './gemini-chat.ts';

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'robota-gemini-'));
});

afterEach(() => {
  rmSync(folder, { recursive: true });
});

describe('parseTranscriptFile', () => {
  it('finds nested subagents by the full session id', async () => {
    const path = write('session-x.jsonl', new GeminiChat('s1').user('u1', 'Go'));
    mkdirSync(join(folder, 's1'));
    mkdirSync(join(folder, 'a1'));
    write('s1/a1.jsonl', new GeminiChat('a1').user('x', 'First'));
    write('s1/notes.txt', new GeminiChat('n'));
    write('a1/a2.jsonl', new GeminiChat('a2').user('y', 'Second'));

    const { subagents } = await parseTranscriptFile('gemini-cli', path);

    expect(subagents.map(({ id }) => id)).toEqual(['a1', 'a2']);
  });

  it('reads a subagent that exists in both formats once, from its JSON lines', async () => {
    const path = write('session-x.jsonl', new GeminiChat('s1').user('u1', 'Go'));
    mkdirSync(join(folder, 's1'));
    write('s1/a1.json', new GeminiChat('a1').user('x', 'Old'));
    write('s1/a1.jsonl', new GeminiChat('a1').user('x', 'New'));

    const { subagents } = await parseTranscriptFile('gemini-cli', path);

    expect(subagents.map(({ blocks }) => blocks.at(-1))).toMatchObject([{ content: 'New' }]);
  });

  it('reads a missing file as an empty session', async () => {
    const { blocks } = await parseTranscriptFile('gemini-cli', join(folder, 'none.jsonl'));

    expect(blocks).toEqual([]);
  });
});

describe('readLastBlocks', () => {
  it.each([1, 7, 50, 100_000])('returns the last %i blocks of a full reading', async (limit) => {
    await expectEnd(write('session-x.jsonl', longChat()), limit);
  });

  it('places a call that was added late to an early message', async () => {
    const chat = longChat();
    chat.model('m0', '', { toolCalls: [toolCall('late')] }).response('late-answer', ['late']);

    await expectEnd(write('session-x.jsonl', chat), 5);
  });

  it('leaves out messages dropped at the end, however far back', async () => {
    const path = write('session-x.jsonl', longChat());
    appendFileSync(path, `${JSON.stringify({ $rewindTo: 'u3' })}\n`);

    await expectEnd(path, 5);
  });

  it('reads a compacted chat to its last messages', async () => {
    const chat = longChat();
    chat.checkpoint({
      ...CONTEXT,
      id: 's',
      content: [{ text: '<state_snapshot>all</state_snapshot>' }],
    });
    for (let turn = 0; turn < 4; turn++) chat.user(`v${turn}`, 'On').model(`n${turn}`, 'Yes.');

    for (const limit of [2, 4, 9, 20]) await expectEnd(write('session-x.jsonl', chat), limit);
  });

  /** Turns with tools and long results, much larger than the first window. */
  function longChat(): GeminiChat {
    const chat = new GeminiChat().raw(CONTEXT);
    for (let turn = 0; turn < 300; turn++) {
      chat
        .user(`u${turn}`, `Step ${turn} ${'words '.repeat(300)}`)
        .answered(`m${turn}`, 'Working.', [`a${turn}`, `b${turn}`]);
    }
    return chat;
  }

  async function expectEnd(path: string, limit: number): Promise<void> {
    const { blocks } = await parseTranscriptFile('gemini-cli', path);

    expect(await readLastBlocks('gemini-cli', path, limit)).toEqual(blocks.slice(-limit));
  }
});

function write(name: string, chat: GeminiChat): string {
  const path = join(folder, name);
  writeFileSync(path, chat.text);
  return path;
}
