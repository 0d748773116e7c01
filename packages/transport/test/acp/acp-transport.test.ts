import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as acp from '@agentclientprotocol/sdk';
import { calls, says, scriptedProvider, thinks } from '@robota-sdk/agent-core/testing';
import {
  InteractiveSession,
  openAgentPlace,
  SessionHost,
  toLiveSession,
} from '@robota-sdk/agent-sdk';
import { hostSource, serverSource } from '@robota-sdk/agent-transport/acp';
import { RemoteServer } from '@robota-sdk/agent-transport/client';
import { createHttpTransport } from '@robota-sdk/agent-transport/http';
import { createWsTransport } from '@robota-sdk/agent-transport/ws';
import { describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { fakeProgram } from '../../../sdk/test/live/fake-programs.ts';
import { openEditor, text } from '../support/acp-client.ts';
import { TOKEN, usePlace } from '../support/place.ts';

const place = usePlace();
const { agent } = acp.methods;

async function begin(options: Parameters<typeof openEditor>[1] = {}) {
  const opened = await openEditor(place, options);
  const created = await opened.editor.request(agent.session.new, {
    cwd: place.project,
    mcpServers: [],
  });
  const { sessionId } = created;
  const ask = (prompt: acp.ContentBlock[]) =>
    opened.editor.request(agent.session.prompt, { sessionId, prompt });
  return { ...opened, created, sessionId, ask };
}

const allow =
  (kind: acp.PermissionOptionKind) =>
  async ({ options }: acp.RequestPermissionRequest): Promise<acp.RequestPermissionResponse> => {
    const optionId = options.find((option) => option.kind === kind)?.optionId ?? '';
    return { outcome: { outcome: 'selected', optionId } };
  };

/** An event that happens once and can be awaited. */
function gate() {
  let open = () => {};
  const passed = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { open: () => open(), passed };
}

describe('a session in an editor', () => {
  it('announces its capabilities before a session exists', async () => {
    const { initialized } = await openEditor(place);

    expect(initialized).toMatchObject({
      protocolVersion: 1,
      agentInfo: { name: 'robota' },
      agentCapabilities: {
        loadSession: true,
        promptCapabilities: { image: true, embeddedContext: true, audio: false },
        sessionCapabilities: { list: {}, resume: {}, close: {} },
      },
    });
  });

  it('streams the answer to a prompt and reports context usage', async () => {
    const { ask, answerText, updatesOf } = await begin();

    const { stopReason } = await ask(text('hello'));

    expect(stopReason).toBe('end_turn');
    expect(answerText()).toBe('You said hello');
    expect(updatesOf('agent_message_chunk')).toHaveLength(2);
    expect(updatesOf('user_message_chunk')).toEqual([]);
    expect(updatesOf('usage_update')).toHaveLength(1);
  });

  it('sends each thought once', async () => {
    const provider = scriptedProvider(thinks('Easy.', says('Done.')));
    const session = new InteractiveSession({ cwd: place.project, provider, bare: true });
    place.after(() => session.shutdown());
    const { ask, updatesOf } = await begin({ attached: toLiveSession(session) });

    await ask(text('hello'));

    const thoughts = updatesOf('agent_thought_chunk').map(({ content }) => content);
    expect(thoughts).toEqual([{ type: 'text', text: 'Easy.' }]);
  });

  it('accepts images, embedded files and file links', async () => {
    const { ask, host, sessionId, answerText } = await begin();
    const data = Buffer.from('x').toString('base64');

    await ask([
      { type: 'text', text: 'See' },
      { type: 'resource', resource: { uri: 'file:///w/a.ts', text: 'let a;' } },
      { type: 'resource_link', uri: 'file:///w/b.ts', name: 'b.ts' },
      { type: 'image', mimeType: 'image/png', data },
    ]);

    const [prompt] = host.get(sessionId)?.getConversation().blocks ?? [];
    expect(JSON.stringify(prompt)).toContain('let a;');
    expect(JSON.stringify(prompt)).toContain('image/png');
    expect(answerText()).toContain('@/w/b.ts');
  });

  it('refuses unsupported content with a protocol error', async () => {
    const { ask } = await begin();
    const sound = { type: 'audio', mimeType: 'audio/wav', data: '' } as const;

    await expect(ask([sound])).rejects.toMatchObject({ code: -32602 });
  });

  it('asks before a tool runs, and completes the call once, with its result', async () => {
    const asked: acp.RequestPermissionRequest[] = [];
    const { ask, updatesOf } = await begin({
      onPermission: (request) => {
        asked.push(request);
        return allow('allow_once')(request);
      },
    });

    await ask(text('touch'));

    expect(asked).toMatchObject([
      {
        toolCall: {
          toolCallId: 'touch-1',
          kind: 'execute',
          title: 'touch it',
          rawInput: { command: 'touch it' },
        },
      },
    ]);
    expect(new Set(asked[0]?.options.map(({ kind }) => kind))).toEqual(
      new Set(['allow_once', 'allow_always', 'reject_once']),
    );
    expect(updatesOf('tool_call')).toMatchObject([{ toolCallId: 'touch-1', name: 'Bash' }]);
    const ends = updatesOf('tool_call_update').filter(({ status }) => status === 'completed');
    expect(ends).toHaveLength(1);
    expect(readFileSync(join(place.project, 'it'), 'utf8')).toBe('');
  });

  it('does not run a denied tool call', async () => {
    const { ask, updatesOf } = await begin({ onPermission: allow('reject_once') });

    const { stopReason } = await ask(text('touch'));

    expect(stopReason).toBe('end_turn');
    expect(updatesOf('tool_call_update').at(-1)).toMatchObject({ status: 'failed' });
    expect(() => readFileSync(join(place.project, 'it'))).toThrow(/ENOENT/);
  });

  it('closes the dialog of an open question on cancel', async () => {
    const withdrawn = gate();
    const opened = gate();
    const { ask, editor, sessionId, host } = await begin({
      onPermission: (_request, signal) => {
        signal.addEventListener('abort', () => withdrawn.open());
        opened.open();
        return new Promise(() => undefined);
      },
    });

    const answer = ask(text('touch'));
    await opened.passed;
    await editor.notify(agent.session.cancel, { sessionId });

    expect((await answer).stopReason).toBe('cancelled');
    await withdrawn.passed;
    expect(host.get(sessionId)?.isExecuting()).toBe(false);
    expect(host.get(sessionId)?.getQuestions()).toEqual([]);
  });

  it('closes the dialog when another surface answers', async () => {
    const withdrawn = gate();
    const { ask, sessionId, host } = await begin({
      onPermission: (_request, signal) => {
        signal.addEventListener('abort', () => withdrawn.open());
        const session = host.get(sessionId);
        const [question] = session?.getQuestions() ?? [];
        void session?.answer(question?.id ?? '', 'allow', { user: 'page' });
        return new Promise(() => undefined);
      },
    });

    const { stopReason } = await ask(text('touch'));

    await withdrawn.passed;
    expect(stopReason).toBe('end_turn');
  });

  it('shows prompts that other surfaces send to the same session', async () => {
    const { host, sessionId, updatesOf, answerText, until } = await begin();

    await host.get(sessionId)?.submit('from the page');
    await until((updates) => updates.some((one) => one.sessionUpdate === 'usage_update'));

    expect(updatesOf('user_message_chunk')).toMatchObject([{ content: { text: 'from the page' } }]);
    expect(answerText()).toBe('You said from the page');
  });

  it('switches mode and model with config options and with the older modes', async () => {
    const { created, editor, sessionId, updatesOf, host } = await begin({
      models: ['other-model'],
    });

    const modes = created.modes?.availableModes.map(({ id, ...answerText }) => ({
      value: id,
      ...answerText,
    }));
    expect(created.configOptions?.find(({ id }) => id === 'mode')).toMatchObject({
      currentValue: created.modes?.currentModeId,
      options: modes,
    });
    await editor.request(agent.session.setMode, { sessionId, modeId: 'plan' });
    const { configOptions } = await editor.request(agent.session.setConfigOption, {
      sessionId,
      configId: 'mode',
      value: 'acceptEdits',
    });

    expect(host.get(sessionId)?.getPermissionMode()).toBe('acceptEdits');
    expect(configOptions.find(({ id }) => id === 'mode')).toMatchObject({
      currentValue: 'acceptEdits',
    });
    expect(updatesOf('current_mode_update').map(({ currentModeId }) => currentModeId)).toEqual([
      'plan',
      'acceptEdits',
    ]);
    await expect(
      editor.request(agent.session.setMode, { sessionId, modeId: 'fly' }),
    ).rejects.toMatchObject({ code: -32602 });
  });

  it('lists its commands and runs them without a model request', async () => {
    const { ask, updatesOf, until, answerText } = await begin();
    await until((updates) =>
      updates.some((one) => one.sessionUpdate === 'available_commands_update'),
    );

    const names = updatesOf('available_commands_update')[0]?.availableCommands.map(
      ({ name }) => name,
    );
    const { stopReason } = await ask(text('/rename Blue'));

    expect(names).toContain('rename');
    expect(stopReason).toBe('end_turn');
    expect(answerText()).not.toContain('You said');
    expect(updatesOf('session_info_update').at(-1)).toMatchObject({ title: 'Blue' });
  });

  it('lists sessions, and sends the history of a loaded one before the response', async () => {
    const { ask, editor, sessionId, updates } = await begin({ onPermission: allow('allow_once') });
    await ask(text('hello'));
    await ask(text('touch'));
    await editor.request(agent.session.close, { sessionId });

    const { sessions } = await editor.request(agent.session.list, { cwd: place.project });
    const elsewhere = await editor.request(agent.session.list, { cwd: '/nowhere' });
    const from = updates.length;
    await editor.request(agent.session.load, { sessionId, cwd: place.project, mcpServers: [] });
    const sent = updates.slice(from).map(({ update }) => update);

    expect(sessions.map((session) => session.sessionId)).toEqual([sessionId]);
    expect(elsewhere.sessions).toEqual([]);
    expect(sent).toMatchObject([
      { sessionUpdate: 'user_message_chunk', content: { text: 'hello' } },
      { sessionUpdate: 'agent_message_chunk', content: { text: 'You said hello' } },
      { sessionUpdate: 'user_message_chunk', content: { text: 'touch' } },
      { sessionUpdate: 'tool_call', toolCallId: 'touch-1' },
      { sessionUpdate: 'tool_call_update', toolCallId: 'touch-1', status: 'completed' },
      { sessionUpdate: 'agent_message_chunk', content: { text: 'The tool has answered.' } },
    ]);
    expect((await ask(text('again'))).stopReason).toBe('end_turn');
  });

  it('lists a session that has no answer without a title', async () => {
    const host = place.host();
    const list = async () => [{ id: 'empty', cwd: place.project, preview: '' }];
    const { editor } = await openEditor(place, { source: { ...hostSource({ host }), list } });

    const { sessions } = await editor.request(agent.session.list, {});

    expect(sessions).toMatchObject([{ sessionId: 'empty', title: null }]);
  });

  it('resumes without sending the history', async () => {
    const { ask, editor, sessionId, updates } = await begin();
    await ask(text('hello'));
    await editor.request(agent.session.close, { sessionId });
    const from = updates.length;

    await editor.request(agent.session.resume, { sessionId, cwd: place.project });
    await ask(text('again'));

    const sent = updates.slice(from).map(({ update }) => JSON.stringify(update));
    expect(sent.join()).not.toContain('hello');
    expect(sent.join()).toContain('again');
  });

  it('serves the attached session when there is no host', async () => {
    const session = place.session();
    const { sessionId, ask, answerText } = await begin({ attached: session as never });

    await ask(text('hello'));

    expect(sessionId).toBe(session.sessionId);
    expect(answerText()).toBe('You said hello');
  });

  it('runs commands in an editor terminal when the editor supports it', async () => {
    const ran: acp.CreateTerminalRequest[] = [];
    const { terminal } = acp.methods.client;
    const { ask, updatesOf } = await begin({
      capabilities: { terminal: true },
      onPermission: allow('allow_once'),
      extend: (app) =>
        app
          .onRequest(terminal.create, ({ params }) => {
            ran.push(params);
            return { terminalId: 'term-1' };
          })
          .onRequest(terminal.waitForExit, () => ({ exitCode: 0 }))
          .onRequest(terminal.output, () => ({ output: 'done', truncated: false }))
          .onRequest(terminal.release, () => ({})),
    });

    await ask(text('touch'));

    expect(ran).toMatchObject([{ args: ['-c', 'touch it'], cwd: place.project }]);
    expect(() => readFileSync(join(place.project, 'it'))).toThrow(/ENOENT/);
    const shown = updatesOf('tool_call_update').flatMap(({ content }) => content ?? []);
    expect(shown).toContainEqual({ type: 'terminal', terminalId: 'term-1' });
  });

  it('kills the command in an editor terminal on cancel', async () => {
    const killed: string[] = [];
    const { terminal } = acp.methods.client;
    const started = gate();
    const { ask, editor, sessionId } = await begin({
      capabilities: { terminal: true },
      onPermission: allow('allow_once'),
      extend: (app) =>
        app
          .onRequest(terminal.create, () => ({ terminalId: 'term-1' }))
          .onRequest(terminal.waitForExit, () => {
            started.open();
            return new Promise(() => undefined);
          })
          .onRequest(terminal.output, () => ({ output: '', truncated: false }))
          .onRequest(terminal.kill, () => void killed.push('killed'))
          .onRequest(terminal.release, () => void killed.push('released')),
    });

    const answer = ask(text('touch'));
    await started.passed;
    await editor.notify(agent.session.cancel, { sessionId });

    expect((await answer).stopReason).toBe('cancelled');
    expect(killed).toEqual(['killed', 'released']);
  });

  it('reads and writes files through the editor, and shows the diff', async () => {
    const file = join(place.project, 'a.txt');
    writeFileSync(file, 'saved');
    const wrote: acp.WriteTextFileRequest[] = [];
    const { fs } = acp.methods.client;
    const provider = scriptedProvider(
      calls({ id: 'r', name: 'Read', args: { filePath: file } }),
      calls({
        id: 'e',
        name: 'Edit',
        args: { filePath: file, oldString: 'unsaved', newString: 'changed' },
      }),
      says('Done.'),
    );
    const host = new SessionHost({
      defaults: { cwd: place.project, provider, bare: true, persistence: false },
    });
    place.after(() => host.closeAll());
    const { ask, updatesOf } = await begin({
      host,
      capabilities: { fs: { readTextFile: true, writeTextFile: true } },
      onPermission: allow('allow_once'),
      extend: (app) =>
        app
          .onRequest(fs.readTextFile, () => ({ content: 'unsaved' }))
          .onRequest(fs.writeTextFile, ({ params }) => void wrote.push(params)),
    });

    await ask(text('change it'));

    expect(wrote).toMatchObject([{ path: file, content: 'changed' }]);
    expect(readFileSync(file, 'utf8')).toBe('saved');
    expect(updatesOf('tool_call').find(({ toolCallId }) => toolCallId === 'e')).toMatchObject({
      kind: 'edit',
      locations: [{ path: file }],
      content: [{ type: 'diff', path: file, oldText: 'unsaved', newText: 'changed' }],
    });
  });

  it('serves sessions of another agent the same way', async () => {
    mkdirSync(join(place.home, 'agent-home'), { recursive: true });
    writeFileSync(join(place.project, 'a.txt'), '');
    const host = place.host({
      openPlace: ({ cwd }) =>
        openAgentPlace({
          cwd,
          homeDirectory: join(place.home, 'agent-home'),
          directory: join(place.home, 'agents'),
          program: fakeProgram('acp'),
        }),
    });
    const { ask, updatesOf, answerText, initialized } = await begin({
      host,
      agent: 'acp:qwen',
      onPermission: allow('allow_once'),
    });

    await ask(text('plan'));
    await ask(text('think'));
    await ask(text('ask'));
    await ask(text('edit'));

    expect(initialized.agentCapabilities?.promptCapabilities?.image).toBe(true);
    expect(updatesOf('plan').at(-1)?.entries).toEqual([
      { content: 'Look', status: 'completed', priority: 'high' },
      { content: 'Do', status: 'pending', priority: 'high' },
    ]);
    expect(updatesOf('agent_thought_chunk')).toHaveLength(2);
    expect(answerText()).toContain('Well: done.');
    expect(answerText()).toContain('once');
    const diffs = [...updatesOf('tool_call'), ...updatesOf('tool_call_update')].flatMap(
      ({ content }) => content?.filter(({ type }) => type === 'diff') ?? [],
    );
    expect(diffs.at(-1)).toEqual({
      type: 'diff',
      path: '/w/a.txt',
      oldText: 'one',
      newText: 'two',
    });
  });
});

it.each(['claude', 'codex', 'gemini'])(
  'forwards the text of %s, streamed or not, and sends it images',
  async (agent) => {
    const host = place.host({
      openPlace: ({ cwd }) =>
        openAgentPlace({
          cwd,
          homeDirectory: join(place.home, 'agent-home'),
          directory: join(place.home, 'agents'),
          program: fakeProgram(agent),
        }),
    });
    const { ask, answerText, initialized, sessionId } = await begin({ host, agent });
    const image = { type: 'image' as const, mimeType: 'image/png', data: 'iVBORw0KGgo=' };

    await ask([...text('hello'), image]);

    expect(initialized.agentCapabilities?.promptCapabilities?.image).toBe(true);
    expect(answerText()).toBe('Answer to hello with image/png');
    expect(host.get(sessionId)?.getConversation().blocks[0]).toMatchObject({
      content: [expect.anything(), expect.objectContaining({ type: 'image' })],
    });
  },
);

describe('a question with fields', () => {
  const claude = () =>
    place.host({
      openPlace: ({ cwd }) =>
        openAgentPlace({
          cwd,
          homeDirectory: join(place.home, 'agent-home'),
          directory: join(place.home, 'agents'),
          program: fakeProgram('claude'),
        }),
    });

  it('is a form when the editor supports forms', async () => {
    const asked: acp.CreateElicitationRequest[] = [];
    const { ask, answerText } = await begin({
      host: claude(),
      agent: 'claude',
      capabilities: { elicitation: { form: {} } },
      extend: (app) =>
        app.onRequest(acp.methods.client.elicitation.create, ({ params }) => {
          asked.push(params);
          return { action: 'accept', content: { 'Which colour?': 'Blue' } };
        }),
    });

    await ask(text('choose'));

    expect(asked).toMatchObject([
      {
        mode: 'form',
        requestedSchema: { properties: { 'Which colour?': { type: 'string' } } },
      },
    ]);
    expect(answerText()).toContain('Blue');
  });

  it('shows a plan before asking for approval', async () => {
    const asked: acp.RequestPermissionRequest[] = [];
    const { ask } = await begin({
      host: claude(),
      agent: 'claude',
      onPermission: (request) => {
        asked.push(request);
        return allow('allow_once')(request);
      },
    });

    await ask(text('plan'));

    expect(asked).toMatchObject([
      {
        toolCall: {
          kind: 'switch_mode',
          content: [{ type: 'content', content: { text: 'First this, then that.' } }],
        },
      },
    ]);
  });

  it('is a choice when the editor has no forms', async () => {
    const asked: acp.RequestPermissionRequest[] = [];
    const { ask, answerText } = await begin({
      host: claude(),
      agent: 'claude',
      onPermission: async (request) => {
        asked.push(request);
        return { outcome: { outcome: 'selected', optionId: 'Blue' } };
      },
    });

    await ask(text('choose'));

    expect(asked[0]?.options.map(({ name }) => name)).toContain('Blue');
    expect(answerText()).toContain('Blue');
  });
});

/** The sessions of a host behind a server, as a source of an editor. */
async function servedSource(host: SessionHost) {
  const http = createHttpTransport({ port: 0, token: TOKEN, host });
  const ws = createWsTransport({ server: () => http.getServer(), token: TOKEN, host });
  await http.start();
  await ws.start();
  place.after(async () => {
    await ws.stop();
    await http.stop();
  });
  return serverSource(new RemoteServer({ url: http.getUrl(), token: TOKEN, WebSocket }));
}

it("is told where the files of a server's session are", async () => {
  const write = calls({ id: 'w', name: 'Write', args: { filePath: 'a.txt', content: 'x' } });
  const provider = scriptedProvider(write, says('Done.'));
  const host = new SessionHost({ defaults: { cwd: place.project, provider, bare: true } });
  place.after(() => host.closeAll());
  const { ask, updatesOf } = await begin({ source: await servedSource(host) });

  await ask(text('hello'));

  const path = join(place.project, 'a.txt');
  expect(updatesOf('tool_call')).toMatchObject([{ locations: [{ path }] }]);
});

it('is a surface of a running server', async () => {
  const host = place.host();
  const { ask, answerText, sessionId, updatesOf, editor, updates } = await begin({
    source: await servedSource(host),
    onPermission: allow('allow_once'),
  });

  await ask(text('hello'));
  await ask(text('touch'));
  const { sessions } = await editor.request(agent.session.list, {});
  const echoed = updatesOf('user_message_chunk');
  await editor.request(agent.session.close, { sessionId });
  const from = updates.length;
  await editor.request(agent.session.load, { sessionId, cwd: place.project, mcpServers: [] });

  expect(echoed).toEqual([]);
  expect(answerText()).toContain('You said hello');
  expect(updatesOf('tool_call')[0]).toMatchObject({ toolCallId: 'touch-1' });
  expect(sessions).toMatchObject([{ sessionId, cwd: place.project }]);
  expect(host.get(sessionId)?.getMessageCount()).toBe(2);
  expect(updates.slice(from).map(({ update }) => update.sessionUpdate)).toContain(
    'user_message_chunk',
  );
});

describe('a misbehaving editor', () => {
  it('gets protocol errors, and its next message is still handled', async () => {
    const { writeRaw, output, editor, ask, sessionId } = await begin();
    const answers: string[] = [];
    output.on('data', (chunk: Buffer) => answers.push(chunk.toString('utf8')));

    writeRaw('{ this is no JSON');
    writeRaw('[]');
    writeRaw('{"jsonrpc":"2.0","id":"x1","method":"session/fly"}');
    writeRaw('{"jsonrpc":"2.0","id":"x2","method":"session/prompt","params":{"prompt":3}}');
    await expect(
      editor.request(agent.session.prompt, { sessionId: 'nobody', prompt: text('hi') }),
    ).rejects.toMatchObject({ code: -32602 });
    await expect(
      editor.request(agent.session.load, {
        sessionId: 'nobody',
        cwd: place.project,
        mcpServers: [],
      }),
    ).rejects.toMatchObject({ code: -32602 });
    for (const sessionId of ['../../etc/passwd', '', 'x'.repeat(500)]) {
      await expect(
        editor.request(agent.session.load, { sessionId, cwd: place.project, mcpServers: [] }),
      ).rejects.toMatchObject({ code: -32602, data: { code: 'invalid_session_id' } });
    }
    await expect(
      editor.request(agent.session.new, { cwd: 'relative', mcpServers: [] }),
    ).rejects.toMatchObject({ code: -32602 });
    await editor.notify(agent.session.cancel, { sessionId: 'nobody' });

    expect((await ask(text('hello'))).stopReason).toBe('end_turn');
    const codes = [...answers.join('').matchAll(/"code":(-\d+)/g)].map(([, code]) => code);
    expect(codes).toEqual(expect.arrayContaining(['-32700', '-32600', '-32601', '-32602']));
    expect(sessionId).toBeDefined();
  });

  it('is disconnected with a reason when it sends more than fits into one message', async () => {
    const notices: string[] = [];
    const { writeRaw, transport } = await begin({ onNotice: (notice) => notices.push(notice) });

    writeRaw('x'.repeat(40 * 1024 * 1024));
    await transport.closed();

    expect(notices).toEqual([
      'Disconnected: the editor sent a message of more than 33554432 bytes.',
    ]);
  });

  it('is refused a second prompt while the first continues', async () => {
    const { ask, answerText } = await begin();

    const first = ask(text('wait'));
    await place.provider.waiting();
    await expect(ask(text('second'))).rejects.toMatchObject({ code: -32600 });
    place.provider.release();

    expect((await first).stopReason).toBe('end_turn');
    expect(answerText()).toBe('You said wait');
  });

  it('can disconnect during a turn without leaving anything running', async () => {
    const { ask, vanish, transport, host, sessionId } = await begin();

    const lost = ask(text('wait'));
    lost.catch(() => undefined);
    await place.provider.waiting();
    vanish();
    await transport.closed();

    expect(host.get(sessionId)?.isExecuting()).toBe(false);
  });

  it('can disconnect with an open question, which is denied without an exception', async () => {
    const opened = gate();
    const { ask, vanish, transport, host, sessionId } = await begin({
      onPermission: () => {
        opened.open();
        return new Promise(() => undefined);
      },
    });

    const lost = ask(text('touch'));
    lost.catch(() => undefined);
    await opened.passed;
    vanish();
    await transport.closed();

    expect(host.get(sessionId)?.isExecuting()).toBe(false);
    expect(host.get(sessionId)?.getQuestions()).toEqual([]);
    expect(() => readFileSync(join(place.project, 'it'))).toThrow(/ENOENT/);
  });
});
