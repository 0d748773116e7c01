import { EventEmitter } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Question, StreamEvent } from '@robota-sdk/agent-transcript';
import {
  AgentSession,
  MemoryTranscriptPersistence,
  type SessionBehaviour,
} from '@robota-sdk/agent-transcript/architectures';
import { describe, expect, it, onTestFinished } from 'vitest';
import { fakeAgent, temporaryHome } from '../drivers/temporary-home.ts';

const AGENTS = [
  { architecture: 'claude-agent-sdk', name: 'claude', input: { command: 'touch it' } },
  { architecture: 'codex', name: 'codex', input: { command: 'touch it' } },
  { architecture: 'gemini-cli', name: 'gemini', input: { command: 'touch it' } },
] as const;

describe.each(AGENTS)('a question of $name', ({ architecture, name, input }) => {
  const open = (options: SessionBehaviour = { waitsForAnswers: true }) =>
    openSession(architecture, name, options);

  it('waits, is listed, and takes the first answer only', async () => {
    const { session, asked, resolved } = await open();
    const sent = session.sendMessage('ask');
    const question = await asked();

    expect(session.getQuestions()).toEqual([question]);
    expect(question).toMatchObject({ kind: 'permission', conversationId: 'main' });
    expect(session.answerQuestion('another', true)).toBe(false);
    expect(session.answerQuestion(question.id, 'allow')).toBe(true);
    expect(session.answerQuestion(question.id, 'deny')).toBe(false);
    await read(sent);

    expect(lastText(session)).toMatch(/allow|accept|proceed_once/);
    expect(session.getQuestions()).toEqual([]);
    expect(resolved).toEqual([{ id: question.id, how: 'answered' }]);
  });

  it('shows the arguments of the call without protocol fields', async () => {
    const { session, asked } = await open();
    const sent = session.sendMessage('ask');
    const question = await asked();
    session.answerQuestion(question.id, false);
    await read(sent);

    expect(question.input).toMatchObject(input);
    for (const key of ['threadId', 'turnId', 'itemId', 'content', 'locations']) {
      expect(question.input).not.toHaveProperty(key);
    }
    expect(question.choices.map(({ answer }) => answer)).toEqual([
      'allow',
      'allow-session',
      'deny',
    ]);
  });

  it('is emitted after the block of its call', async () => {
    const { session, bus, asked } = await open();
    const told: string[] = [];
    bus.on('stream_event', (event: StreamEvent) => {
      if (event.type === 'block_start') told.push(event.block.id);
    });
    const sent = session.sendMessage('ask');
    const question = await asked();
    const before = [...told];
    session.answerQuestion(question.id, true);
    await read(sent);

    expect(before).toContain(question.toolCallId);
  });

  it('expires when the turn is aborted, and ignores later answers', async () => {
    const { session, asked, resolved } = await open();
    const sent = session.sendMessage('ask');
    const question = await asked();

    sent.abort();
    await sent.ended;

    expect(session.getQuestions()).toEqual([]);
    expect(session.answerQuestion(question.id, true)).toBe(false);
    expect(resolved).toEqual([{ id: question.id, how: 'expired' }]);
    expect(session.getState().metadata?.lastTurn).toMatchObject({ status: 'interrupted' });
  });

  it('goes to the callback too, and the first answer counts', async () => {
    const { session, asked } = await open({
      onPermissionRequest: () => new Promise(() => undefined),
    });
    const sent = session.sendMessage('ask');
    const question = await asked();

    expect(session.answerQuestion(question.id, { deny: 'Not now' })).toBe(true);
    await read(sent);

    expect(lastText(session)).toMatch(/deny|decline|cancel/);
  });

  it('is denied when the callback throws', async () => {
    const { session } = await open({
      onPermissionRequest: () => {
        throw new Error('no screen');
      },
    });

    await read(session.sendMessage('ask'));

    expect(lastText(session)).toMatch(/deny|decline|cancel/);
  });
});

describe('allow-session', () => {
  it('applies to the session only: Claude Code gets no persistent rule', async () => {
    const { session, home, asked } = await openSession('claude-agent-sdk', 'claude', {
      waitsForAnswers: true,
    });
    const sent = session.sendMessage('ask');
    session.answerQuestion((await asked()).id, 'allow-session');
    await read(sent);

    const settings = join(home.workspaceDirectory, '.claude/settings.local.json');
    expect(existsSync(settings)).toBe(false);
    expect(lastText(session)).toBe('allow');
  });
});

describe('a question that needs input', () => {
  it('has fields in Claude Code, answered with text', async () => {
    const { session, asked } = await openSession('claude-agent-sdk', 'claude', {
      waitsForAnswers: true,
    });
    const sent = session.sendMessage('choose');
    const question = await asked();
    session.answerQuestion(question.id, { answers: { 'Which colour?': 'Blue' } });
    await read(sent);

    expect(question).toMatchObject({
      kind: 'choice',
      fields: [
        {
          name: 'Which colour?',
          label: 'Colour',
          options: [{ label: 'Red' }, { label: 'Blue', description: 'like the sky' }],
          isMultiple: false,
        },
      ],
    });
    expect(lastText(session)).toBe('Answer to {"Which colour?":"Blue"}');
  });

  it('has fields in Codex, answered with text', async () => {
    const { session, asked } = await openSession('codex', 'codex', { waitsForAnswers: true });
    const sent = session.sendMessage('choose');
    const question = await asked();
    session.answerQuestion(question.id, { answers: { colour: 'Blue' } });
    await read(sent);

    expect(question).toMatchObject({ kind: 'choice', fields: [{ name: 'colour' }] });
    expect(lastText(session)).toBe('{"colour":{"answers":["Blue"]}}');
  });

  it('can be a plan, which is in the waiting call', async () => {
    const { session, asked } = await openSession('claude-agent-sdk', 'claude', {
      waitsForAnswers: true,
    });
    const sent = session.sendMessage('plan');
    const question = await asked();
    session.answerQuestion(question.id, true);
    await read(sent);

    expect(question).toMatchObject({ kind: 'plan', input: { plan: 'First this, then that.' } });
    expect(lastText(session)).toBe('Answer to allow');
  });
});

async function openSession(
  architecture: string,
  name: 'claude' | 'codex' | 'gemini',
  behaviour: SessionBehaviour,
) {
  const home = temporaryHome();
  const bus = new EventEmitter();
  const questions: Question[] = [];
  let wake: () => void = () => undefined;
  bus.on('question', (question: Question) => {
    questions.push(question);
    wake();
  });
  const resolved: unknown[] = [];
  bus.on('question_resolved', (resolution) => resolved.push(resolution));
  const session = await AgentSession.create(
    { architecture, agentProfileRef: 'none', program: fakeAgent(name), ...behaviour },
    { home },
    bus,
    new MemoryTranscriptPersistence(),
  );
  onTestFinished(() => session.destroy());
  const asked = async (): Promise<Question> => {
    for (;;) {
      const [question] = questions;
      if (question !== undefined) return question;
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
  };
  return { session, home, bus, asked, resolved };
}

async function read(events: AsyncIterable<StreamEvent>): Promise<void> {
  for await (const _ of events);
}

function lastText(session: AgentSession): string | undefined {
  const text = session.getState().blocks.findLast(({ type }) => type === 'assistant_text');
  return text?.type === 'assistant_text' ? text.content : undefined;
}
