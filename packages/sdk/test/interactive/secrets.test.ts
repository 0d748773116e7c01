import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { says, scriptedProvider } from '@robota-sdk/agent-core/testing';
import {
  type AssembledSessionOptions,
  createProjectSessionStore,
  deleteSession,
  InteractiveSession,
  openSavedSession,
  renameSession,
  replaySession,
  StreamEventRedactor,
  scrubSession,
} from '@robota-sdk/agent-sdk';
import {
  applyStreamEvent,
  EMPTY_CONVERSATION,
  type StreamEvent,
} from '@robota-sdk/agent-transcript';
import { describe, expect, it } from 'vitest';
import {
  inPieces,
  leaks,
  leaksIn,
  plantAll,
  streamingProvider,
  textOutsideVaults,
} from '../../../session/test/secrets/planted-secrets.ts';
import { useTestPlace } from '../sandbox-home.ts';
import { callsTools, talkingProvider } from '../subagents/talking-provider.ts';

const place = useTestPlace();
const SECRETS = [...plantAll(31).values()];
const ALL = SECRETS.map(({ text }) => text).join('\n');
const [ONE = { text: '', parts: [] }] = SECRETS;

function open(options: Partial<AssembledSessionOptions> = {}): InteractiveSession {
  return new InteractiveSession({
    cwd: place.project,
    provider: streamingProvider({ text: `Said ${ALL} .`, thinking: ALL }, { text: 'Yes.' }),
    builtinTools: false,
    persistence: true,
    ...options,
  });
}

function leaked(value: unknown): string[] {
  const parts = SECRETS.flatMap((secret) => secret.parts);
  return [...leaks(JSON.stringify(value), parts)];
}

function vaults(): string[] {
  const names = readdirSync(join(place.home, '.robota'), { recursive: true }).map(String);
  return names.filter((name) => name.endsWith('.vault'));
}

describe('a session of which everything is kept', () => {
  it('leaves secrets in no file of the home but its vault, nor do its subagents', async () => {
    const task = { prompt: `task: ${ALL}`, subagent_type: 'Plan' };
    const provider = talkingProvider((prompt, messages) => {
      if (prompt.startsWith('task')) return `did ${ALL} .`;
      const isFirst = !messages.some(({ role }) => role === 'tool');
      return isFirst ? callsTools({ id: 'c1', name: 'Agent', args: task }) : `All: ${ALL} .`;
    });
    const session = open({ provider, builtinTools: true, sessionName: `name ${ONE.text}` });

    await session.submit(`Keep ${ALL} .`);
    await session.shutdown();
    createProjectSessionStore(place.project).listSummaries();

    expect(leaksIn(place.home, SECRETS)).toEqual([]);
    expect(vaults()).toEqual([`logs/${session.sessionId}.vault`]);
  });

  it('shows placeholders wherever it is opened again, and the model what it was sent', async () => {
    const first = open();
    await first.submit(`Keep ${ALL} .`);
    await first.shutdown();
    const { sessionId } = first;
    renameSession(sessionId, 'renamed');

    const provider = streamingProvider({ text: 'Yes.' });
    const again = open({ resumeSessionId: sessionId, provider });
    const shown = [again.getConversation(), again.getFullHistory(), again.getMessages()];
    await again.submit('Still there?');
    await again.shutdown();

    expect(leaked([shown, replaySession(sessionId), openSavedSession(sessionId).record])).toEqual(
      [],
    );
    expect(provider.requests[0]).toContain(JSON.stringify(`Keep ${ALL} .`));
    expect(again.getNotices()).toEqual([]);
    expect(leaksIn(place.home, SECRETS)).toEqual([]);
  });

  it('says that placeholders are all it has without its vault', async () => {
    const first = open();
    await first.submit(`Keep ${ALL} .`);
    await first.shutdown();
    rmSync(join(place.home, '.robota/logs', `${first.sessionId}.vault`));

    const provider = streamingProvider({ text: 'Yes.' });
    const again = open({ resumeSessionId: first.sessionId, provider });
    await again.submit('Still there?');
    await again.shutdown();

    expect(leaked(provider.requests)).toEqual([]);
    expect(again.getNotices()).toEqual([
      { kind: 'restore', message: expect.stringContaining('replaced by placeholders') },
    ]);
  });

  it.each([
    ['an option', { vault: false }, {}],
    ['the settings', {}, { vault: false }],
  ])('has no vault when %s says so', async (_where, options, settings) => {
    place.writeHome('.robota/settings.json', settings);
    const session = open(options);
    await session.submit(`Keep ${ALL} .`);
    await session.shutdown();

    expect(vaults()).toEqual([]);
    expect(leaksIn(place.home, SECRETS)).toEqual([]);
  });

  it('takes its vault along when it is deleted', async () => {
    const session = open();
    await session.submit(`Keep ${ALL} .`);
    await session.shutdown();

    deleteSession(session.sessionId);

    expect(vaults()).toEqual([]);
  });

  it('is without any value after a scrub, and can be gone on with', async () => {
    const session = open();
    await session.submit(`Keep ${ALL} .`);
    await session.shutdown();
    const before = textOutsideVaults(join(place.home, '.robota/logs'));

    const result = scrubSession(session.sessionId);

    expect(result).toMatchObject({ replaced: 0, hadVault: true });
    expect(vaults()).toEqual([]);
    expect(textOutsideVaults(join(place.home, '.robota/logs'))).toBe(before);
    const again = open({ resumeSessionId: session.sessionId });
    expect(await again.submit('Go on')).toMatchObject({ status: 'completed' });
    await again.shutdown();
  });

  it('is not scrubbed while somebody writes it, nor when there is none', async () => {
    const session = open();
    await session.submit('Hello');

    expect(() => scrubSession(session.sessionId)).toThrow(/open for writing/);
    await session.shutdown();
    expect(() => scrubSession('nobody')).toThrow('Session not found: nobody');
  });
});

describe('what surfaces are told', () => {
  it('carries no terminal escapes and no secrets in notices and command results', async () => {
    const command = {
      name: 'paint',
      description: 'Paints',
      execute: async () => ({
        success: true,
        message: 'red \u001b[31m and \u001b]52;c;aGk=\u0007',
      }),
    };
    const session = open({ commands: [command] });
    session.on('notice', () => undefined);
    await session.whenReady();
    const port = session.getSession() as unknown as {
      logEvent(event: string, data: object): void;
    };
    port.logEvent('notice', { level: 'info', message: `\u001b[2J ${ONE.text}` });

    const result = await session.executeCommand('paint');
    await session.shutdown();

    expect(result?.message).toBe('red \u241b[31m and \u241b]52;c;aGk=\u2407');
    expect(session.getNotices().at(-1)?.message).toMatch(/^\u241b\[2J \[REDACTED:api-key\]$/);
  });

  it('is the same for readers, event by event, with secrets replaced', async () => {
    const events: StreamEvent[] = [];
    const session = open();
    session.on('stream_event', (event) => events.push(event));
    await session.submit(`Keep ${ALL} .`);
    await session.shutdown();
    const reader = new StreamEventRedactor();

    const sent = events.map((event) => reader.redactEvent(event));

    expect(leaked(events)).not.toEqual([]);
    expect(leaked(sent)).toEqual([]);
    const pieces = sent.flatMap((event) => (event.type === 'text_delta' ? event.delta : []));
    expect(SECRETS.flatMap(({ parts }) => leaks(pieces.join(''), parts))).toEqual([]);
    const seen = sent.reduce(applyStreamEvent, EMPTY_CONVERSATION);
    expect(seen.blocks.map(({ type }) => type)).toEqual(
      session.getBlocks().map(({ type }) => type),
    );
  });

  it('begins for a reader in the middle of a secret without its first half', () => {
    const scope = { conversationId: 'main' } as const;
    const block = { type: 'assistant_text', id: 'b1', timestamp: '', content: '' } as const;
    const [head = '', ...rest] = inPieces(`Said ${ONE.text} .`, 3, 30);
    const state = { ...EMPTY_CONVERSATION, blocks: [{ ...block, content: head }] };
    const reader = new StreamEventRedactor();

    const shown = reader.redactConversation(state, { isExecuting: true });
    const sent = rest.map((delta) =>
      reader.redactEvent({ type: 'text_delta', blockId: 'b1', delta, ...scope }),
    );

    expect(leaks(JSON.stringify([shown, sent]), ONE.parts)).toEqual([]);
    const end = sent.map((event) => (event.type === 'text_delta' ? event.delta : '')).join('');
    expect(JSON.stringify(shown.blocks) + end).toContain('[REDACTED:api-key] ');
  });
});

describe('a home that cannot be written to', () => {
  it('is told in one sentence that says what to do, and healed when it can again', async () => {
    const provider = scriptedProvider(says('One.'), says('Two.'));
    const folders = ['sessions', 'logs'].map((name) =>
      place.writeHome(`.robota/${name}`, 'in the way'),
    );
    // Tools bring texts that are too long for the log itself.
    const session = open({ provider, builtinTools: true });

    const outcome = await session.submit('one');
    const problem = session.getSaveProblem();
    for (const folder of folders) rmSync(folder);
    await session.submit('two');
    const healed = session.getSaveProblem();
    await session.shutdown();

    expect(outcome).toMatchObject({ status: 'completed' });
    expect(problem).toMatch(
      /is not being saved: .*a file stands where a directory is needed; move/,
    );
    expect(healed).toBeUndefined();
    const { record } = openSavedSession(session.sessionId);
    expect(JSON.stringify(record.messages)).toMatch(/one.*One\..*two.*Two\./);
    expect(session.getNotices().map(({ kind }) => kind)).toEqual(
      Array.from(session.getNotices(), () => 'not_saved'),
    );
  });
});
