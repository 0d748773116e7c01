import type { CatalogueSession } from '@robota-sdk/agent-archive';
import { expect, it } from 'vitest';
import { sessionRows } from '../src/commands/session-row.ts';

const SESSION: CatalogueSession = {
  id: '5d2f8a30-2222-4333-8444-555555555555',
  agent: 'claude',
  type: 'claude-agent-sdk',
  name: undefined,
  title: 'Find the race condition in the upload of large files',
  preview: '',
  project: 'a-project-with-a-long-name',
  cwd: '/code/relay',
  model: undefined,
  branch: undefined,
  forkOf: undefined,
  createdAt: 0,
  updatedAt: 0,
  messages: 1234,
  costUsd: 12.5,
  unpriced: 0,
  isLive: true,
  isPinned: false,
  isArchived: false,
  path: '/code/a.jsonl',
};

it.each([60, 80, 100, 120])('fits into %i columns and keeps id, agent and title', (width) => {
  const [row = ''] = sessionRows([SESSION], width);
  expect(row.length).toBeLessThanOrEqual(width);
  expect(row).toMatch(/^● 5d2f8a30 {2}claude {2}Find the race/);
});

it('leaves nothing out where there is no window', () => {
  const [row = ''] = sessionRows([SESSION], undefined);
  expect(row).toContain(SESSION.id);
  expect(row).toContain('a-project-with-a-long-name');
  expect(row).toContain('1234 messages');
});
