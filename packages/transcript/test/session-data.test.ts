import {
  parseTranscripts,
  type RuntimeSessionData,
  type SavedSessionData,
  type SessionStatus,
} from '@robota-sdk/agent-transcript';
import { expect, expectTypeOf, it } from 'vitest';
import { recording } from './architectures/claude-agent-sdk/recordings.ts';

const { raw } = recording('2.1.325/agentfg');

const saved: SavedSessionData = {
  sessionId: 's1',
  type: 'claude-agent-sdk',
  agentProfileReference: 'code-assistant',
  status: 'inactive',
  lastActivity: 1_790_000_000_000,
  rawTranscript: raw.main,
  subagents: (raw.subagents ?? []).map(({ id, transcript = '', meta = '' }) => ({
    id,
    rawTranscript: transcript,
    rawMeta: meta,
  })),
  workspaceFiles: [{ path: 'hello.txt', content: 'hello world\n' }],
};

it('has the six session statuses', () => {
  expectTypeOf<SessionStatus>().toEqualTypeOf<
    'pending' | 'active' | 'inactive' | 'completed' | 'failed' | 'building-sandbox'
  >();
});

it('loading adds the blocks and keeps the saved transcript', () => {
  const stored = JSON.parse(JSON.stringify(saved)) as SavedSessionData;

  const loaded = load(stored);

  expect(loaded.rawTranscript).toBe(raw.main);
  expect(loaded.subagents.map(({ rawTranscript }) => rawTranscript)).toEqual(
    raw.subagents?.map(({ transcript }) => transcript),
  );
  expect(loaded.blocks.map((block) => block.type)).toEqual([
    'user_message',
    'assistant_text',
    'subagent',
    'assistant_text',
  ]);
  expect(loaded.subagents.map(({ blocks }) => blocks.length)).toEqual([8]);
});

it('saves no derived data', () => {
  expectTypeOf<SavedSessionData>().not.toHaveProperty('blocks');
  expectTypeOf<RuntimeSessionData>().toExtend<SavedSessionData>();
});

function load(stored: SavedSessionData): RuntimeSessionData {
  const parsed = parseTranscripts(stored.type, {
    main: stored.rawTranscript ?? '',
    subagents: (stored.subagents ?? []).map(({ id, rawTranscript = '', rawMeta = '' }) => ({
      id,
      transcript: rawTranscript,
      meta: rawMeta,
    })),
  });
  const threads = new Map(parsed.subagents.map((thread) => [`agent-${thread.id}`, thread.blocks]));
  const subagents = (stored.subagents ?? []).map((each) => ({
    ...each,
    blocks: threads.get(each.id) ?? [],
  }));
  return { ...stored, blocks: parsed.blocks, subagents };
}
