import type { ConversationBlock } from '@robota-sdk/agent-transcript';
import type { FakeWorld } from './fake-server.ts';
import { FakeSession } from './fake-session.ts';
import { block, row, sampleWorld } from './sample-world.ts';

export const LONG_TOTAL = 100_000;

/** Block number `ordinal` of a long conversation: prompts, answers of different height, calls and results. */
export function longBlock(ordinal: number): ConversationBlock {
  const id = `l${ordinal}`;
  switch (ordinal % 8) {
    case 0:
      return block.user(id, `Prompt ${ordinal}: please go on`);
    case 1:
      return block.text(id, `Answer ${ordinal}. ${'Some more words. '.repeat(ordinal % 23)}`);
    case 2:
      return block.call(id, 'Bash', { command: `echo ${ordinal}` });
    case 3:
      return block.result(`l${ordinal - 1}`, `output of ${ordinal}`);
    case 4:
      return block.text(id, `## Part ${ordinal}\n\n\`\`\`ts\nconst n = ${ordinal};\n\`\`\``);
    case 5:
      return block.call(id, 'Edit', {
        file_path: 'a.ts',
        old_string: 'a',
        new_string: `b${ordinal}`,
      });
    case 6:
      return block.result(`l${ordinal - 1}`, 'ok');
    default:
      return block.text(id, `- one ${ordinal}\n- two\n- three`);
  }
}

/** A session on disk of 100,000 blocks, and a live one of fewer. */
export function longWorld(): FakeWorld & { readonly live: FakeSession } {
  const closed = new FakeSession({
    row: row({
      id: 'long',
      title: '100,000 blocks',
      access: 'closed',
    }),
    long: { total: LONG_TOTAL, at: longBlock },
  });
  const live = new FakeSession({
    row: row({ id: 'live', title: 'Live and long' }),
    blocks: Array.from({ length: 3000 }, (_, ordinal) => longBlock(ordinal)),
  });
  return {
    ...sampleWorld(),
    live,
    sessions: [closed, live],
  };
}
