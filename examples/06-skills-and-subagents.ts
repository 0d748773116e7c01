// A skill from a file, and two subagents running concurrently, each with its own conversation.
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createAssistantMessage, type Provider } from '@robota-sdk/agent-core';
import { InteractiveSession } from '@robota-sdk/agent-sdk';

const cwd = mkdtempSync(join(tmpdir(), 'robota-example-'));
process.env.ROBOTA_HOME = join(cwd, 'home');
mkdirSync(join(cwd, '.claude/skills/survey'), { recursive: true });
writeFileSync(
  join(cwd, '.claude/skills/survey/SKILL.md'),
  '---\ndescription: Surveys two places\n---\nSend an agent to each of: $ARGUMENTS',
);

const provider: Provider = {
  name: 'surveyor',
  async chat(messages) {
    const prompt = messages.findLast(({ role }) => role === 'user')?.content ?? '';
    if (prompt.startsWith('Visit')) return createAssistantMessage(`${prompt}: quiet`);
    const reports = messages.filter(({ role }) => role === 'tool').map(({ content }) => content);
    if (reports.length > 0) return createAssistantMessage(reports.join(', '));
    const toolCalls = ['src', 'test'].map((place) => ({
      id: `visit-${place}`,
      type: 'function' as const,
      function: { name: 'Agent', arguments: JSON.stringify({ prompt: `Visit ${place}` }) },
    }));
    return createAssistantMessage(null, { toolCalls });
  },
};

try {
  const session = new InteractiveSession({ cwd, provider });
  const result = await session.executeCommand('survey', 'src test');
  await session.shutdown();

  assert.equal(result?.message, 'Visit src: quiet, Visit test: quiet');
  for (const { id, blocks } of session.getConversation().subagents) {
    console.log(id, blocks.map(({ type }) => type).join(' '));
  }
  assert.equal(session.getConversation().subagents.length, 2);
  console.log('ok');
} finally {
  rmSync(cwd, { recursive: true, force: true });
}
