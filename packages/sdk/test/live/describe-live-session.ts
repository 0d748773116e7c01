import type { LiveQuestion, LiveSession, SubmitOutcome } from '@robota-sdk/agent-sdk';
import { describe, expect, it } from 'vitest';

export interface LiveUnderTest {
  readonly session: LiveSession;
  /** A prompt upon which the agent asks whether it may run a command. */
  readonly asking: string;
  /** A prompt that is answered with some text and no end. */
  readonly hanging: string;
  readonly heardText: Promise<void>;
  /** Under whose name prompts and answers are told, where the server decides that and not the caller. */
  readonly knownAs?: string | undefined;
}

/** What every `LiveSession` promises, beside what it promises as a view. The queue must hold three. */
export function describeLiveSession(name: string, open: () => Promise<LiveUnderTest>): void {
  describe(`driving ${name}`, () => {
    it('answers a prompt and tells of it from start to end', async () => {
      const { session, knownAs = 'ada' } = await open();
      const told: string[] = [];
      session.on('turn_start', ({ content, user, messageId }) =>
        told.push(`start ${content} ${user} ${messageId}`),
      );
      session.on('user_message', (content) => told.push(`user ${content}`));
      session.on('thinking', (isThinking) => told.push(`thinking ${isThinking}`));
      session.on('complete', () => told.push('complete'));
      session.on('turn_end', ({ status }) => told.push(`end ${status}`));

      const outcome = await session.submit('one', undefined, undefined, {
        user: 'ada',
        messageId: 'm-1',
      });

      expect(responseOf(outcome)).toContain('one');
      expect(told).toEqual([
        'user one',
        `start one ${knownAs} m-1`,
        'thinking true',
        'complete',
        'thinking false',
        'end completed',
      ]);
      expect(session.isExecuting()).toBe(false);
      expect(session.getMessageCount()).toBe(1);
      expect(session.getStreamingText()).toContain('one');
    });

    it('asks as data, takes the first answer, and says who gave it', async () => {
      const { session, asking, knownAs = 'grace' } = await open();
      const asked = nextQuestion(session);
      const resolved: unknown[] = [];
      session.on('question_resolved', (resolution) => resolved.push(resolution));
      const turn = session.submit(asking);
      const question = await asked;

      expect(question).toMatchObject({ kind: 'permission', conversationId: 'main' });
      expect(question.choices.map(({ answer }) => answer)).toContain('allow');
      expect(session.getQuestions()).toMatchObject([{ id: question.id }]);
      expect(await session.answer('nobody-asked-this', 'allow')).toBe(false);
      expect(await session.answer(question.id, 'allow', { user: 'grace' })).toBe(true);
      expect(await session.answer(question.id, 'deny', { user: 'ada' })).toBe(false);
      expect((await turn).status).toBe('completed');
      expect(session.getQuestions()).toEqual([]);
      expect(resolved).toMatchObject([{ id: question.id, how: 'answered', by: knownAs }]);
    });

    it('stops when it is told to, and nothing of the turn is left', async () => {
      const { session, hanging, heardText } = await open();
      const turn = session.submit(hanging);
      await heardText;

      await session.abort();

      expect(session.isExecuting()).toBe(false);
      expect((await turn).status).toBe('interrupted');
      expect(session.getActiveTools()).toEqual([]);
      await session.abort();
    });

    it('stops with an open question, which is settled as expired', async () => {
      const { session, asking } = await open();
      const asked = nextQuestion(session);
      const resolved: unknown[] = [];
      session.on('question_resolved', (resolution) => resolved.push(resolution));
      const turn = session.submit(asking);
      const { id } = await asked;

      await session.abort();

      expect((await turn).status).toBe('interrupted');
      expect(session.getQuestions()).toEqual([]);
      expect(resolved).toMatchObject([{ id, how: 'expired' }]);
      expect(await session.answer(id, 'allow')).toBe(false);
    });

    it('answers prompts in the order they came', async () => {
      const { session } = await open();

      const outcomes = await Promise.all(
        ['one', 'two', 'three'].map((text) => session.submit(text)),
      );

      expect(outcomes.map(({ status }) => status)).toEqual(['completed', 'completed', 'completed']);
      expect(promptsOf(session)).toEqual(['one', 'two', 'three']);
    });

    it('tells what waits, and empties the queue on request; what runs goes on', async () => {
      const { session, hanging, heardText } = await open();
      const told: string[][] = [];
      const both = new Promise<void>((resolve) => {
        session.on('queue', (prompts) => {
          told.push(prompts.map(({ input }) => input));
          if (prompts.length === 2) resolve();
        });
      });
      const running = session.submit(hanging);
      await heardText;
      const waiting = [session.submit('two'), session.submit('three')];
      await both;

      expect(session.getQueue().map(({ input }) => input)).toEqual(['two', 'three']);
      await session.cancelQueue();

      expect(await Promise.all(waiting)).toEqual([
        { status: 'superseded' },
        { status: 'superseded' },
      ]);
      expect(told).toEqual([['two'], ['two', 'three'], []]);
      expect(session.isExecuting()).toBe(true);
      await session.abort();
      expect((await running).status).toBe('interrupted');
    });

    it('takes one waiting prompt back and leaves the others', async () => {
      const { session, hanging, heardText } = await open();
      const all = new Promise<void>((resolve) => {
        session.on('queue', (prompts) => prompts.length === 3 && resolve());
      });
      const running = session.submit(hanging);
      await heardText;
      const ids = ['m-1', 'm-2', 'm-3'];
      const waiting = ids.map((id) => session.submit(id, id, id, { messageId: id }));
      await all;

      await session.cancelQueue('m-2');

      expect(await waiting[1]).toEqual({ status: 'superseded' });
      expect(session.getQueue().map(({ messageId }) => messageId)).toEqual(['m-1', 'm-3']);
      await session.abort();
      expect((await running).status).toBe('interrupted');
      await Promise.all(waiting);
    });

    it('refuses an empty prompt, and every prompt after its end', async () => {
      const { session } = await open();
      await session.whenReady();

      expect(await session.submit('  ')).toMatchObject({ status: 'refused' });
      await session.shutdown();
      await expect(session.submit('late')).rejects.toMatchObject({ code: 'session_closed' });
    });

    it('changes what it says it can change, and refuses the rest', async () => {
      const { session } = await open();
      await session.whenReady();
      const changed: unknown[] = [];
      session.on('state', (facts) => changed.push(facts));

      await session.change({ name: 'Blue' });
      const model = session.change({ model: 'another-model' }).then(
        () => true,
        ({ code }: { code: string }) => code,
      );

      expect(session.getName()).toBe('Blue');
      expect(changed[0]).toEqual({ name: 'Blue' });
      expect(await model).toBe(session.getCapabilities().setModel ? true : 'not_supported');
    });

    it('can be copied, and both go on by themselves, or says that it cannot', async () => {
      const { session } = await open();
      await session.submit('one');
      if (!session.getCapabilities().fork) {
        await expect(session.fork()).rejects.toMatchObject({ code: 'not_supported' });
        return;
      }

      const copy = await session.fork();
      try {
        await copy.submit('two');

        expect(promptsOf(copy)).toEqual(['one', 'two']);
        expect(promptsOf(session)).toEqual(['one']);
        expect(copy.sessionId).not.toBe(session.sessionId);
      } finally {
        await copy.shutdown();
      }
    });

    it('goes back to before a prompt, undoes that and forks there, or says that it cannot', async () => {
      const { session } = await open();
      await session.submit('one');
      await session.submit('two');
      const prompts = session
        .getConversation()
        .blocks.filter(({ type }) => type === 'user_message');
      const to = prompts[1]?.id ?? '';
      if (!session.getCapabilities().rewind) {
        const cannot = { code: 'not_supported' };
        await expect(session.previewRewind(to)).rejects.toMatchObject(cannot);
        await expect(session.rewind({ to })).rejects.toMatchObject(cannot);
        await expect(session.undoRewind()).rejects.toMatchObject(cannot);
        await expect(session.fork({ at: to })).rejects.toMatchObject(cannot);
        return;
      }
      const copy = await session.fork({ at: to });
      try {
        expect(promptsOf(copy)).toEqual(['one']);
      } finally {
        await copy.shutdown();
      }
      expect(await session.previewRewind(to)).toMatchObject({ to, prompt: 'two', files: [] });
      const back = await session.rewind({ to, what: 'conversation' });

      expect(back).toMatchObject({ to, prompt: 'two', what: 'conversation', files: [], kept: [] });
      expect(promptsOf(session)).toEqual(['one']);
      await session.undoRewind();
      expect(promptsOf(session)).toEqual(['one', 'two']);
      await expect(session.undoRewind()).rejects.toMatchObject({ code: 'nothing_to_undo' });
      await expect(session.rewind({ to: 'nobody' })).rejects.toMatchObject({
        code: 'unknown_prompt',
      });
    });
  });
}

function nextQuestion(session: LiveSession): Promise<LiveQuestion> {
  return new Promise((resolve) => session.on('question', resolve));
}

function responseOf(outcome: SubmitOutcome): string {
  return 'result' in outcome ? outcome.result.response : outcome.status;
}

function promptsOf(session: LiveSession): string[] {
  const { blocks } = session.getConversation();
  return blocks.flatMap((block) => (block.type === 'user_message' ? [String(block.content)] : []));
}
