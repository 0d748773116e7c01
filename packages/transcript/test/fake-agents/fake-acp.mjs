#!/usr/bin/env node
// An agent made with the official SDK. What it does is named by the prompt; FAKE_WITHOUT takes abilities away.
import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable, Writable } from 'node:stream';
import * as acp from '@agentclientprotocol/sdk';

const without = new Set((process.env.FAKE_WITHOUT ?? '').split(','));
const folder = join(process.env.HOME, '.fake-acp');
mkdirSync(folder, { recursive: true });
const fileOf = (id) => join(folder, `${id}.json`);
const past = (id) => JSON.parse(readFileSync(fileOf(id), 'utf8'));
const keep = (id, said) => writeFileSync(fileOf(id), JSON.stringify([...past(id), ...said]));
const cancels = new Map();
const text = (words) => ({ content: { type: 'text', text: words } });
const options = [
  { optionId: 'always', name: 'Always', kind: 'allow_always' },
  { optionId: 'once', name: 'Once', kind: 'allow_once' },
  { optionId: 'no', name: 'No', kind: 'reject_once' },
];
const modes = {
  currentModeId: 'default',
  availableModes: [
    { id: 'default', name: 'Ask' },
    { id: 'yolo', name: 'All' },
  ],
};
const model = (currentValue) => ({
  id: 'model',
  name: 'Model',
  category: 'model',
  type: 'select',
  currentValue,
  options: [
    { value: 'small', name: 'Small' },
    { value: 'large', name: 'Large' },
  ],
});
let chosen = { model: 'small', mode: 'default' };

const turns = {
  async think({ tell }) {
    await tell({ sessionUpdate: 'agent_thought_chunk', messageId: 't', ...text('First ') });
    await tell({ sessionUpdate: 'agent_thought_chunk', messageId: 't', ...text('this.') });
    await tell({ sessionUpdate: 'agent_message_chunk', messageId: 'm', ...text('Well: ') });
    await tell({ sessionUpdate: 'agent_message_chunk', messageId: 'm', ...text('done.') });
    await tell({ sessionUpdate: 'agent_message_chunk', messageId: 'n', ...text('More.') });
  },
  async tool({ tell }) {
    await tell({ sessionUpdate: 'tool_call', toolCallId: '1', title: 'a.txt', kind: 'read' });
    await tell({
      sessionUpdate: 'tool_call_update',
      toolCallId: '1',
      status: 'in_progress',
      rawInput: { file_path: 'a.txt' },
    });
    const output = { sessionUpdate: 'tool_call_update', toolCallId: '1', rawOutput: 'the content' };
    await tell({ ...output, status: 'completed' });
    await tell({ ...output, status: 'completed' });
  },
  async edit({ tell }) {
    const content = [{ type: 'diff', path: '/w/a.txt', oldText: 'one', newText: 'two' }];
    const call = { toolCallId: '2', title: 'Change a.txt', kind: 'edit', content };
    await tell({ sessionUpdate: 'tool_call', ...call });
    await tell({ sessionUpdate: 'tool_call_update', toolCallId: '2', status: 'completed' });
  },
  // As codex-acp does it.
  async shell({ tell }) {
    const content = [{ type: 'terminal', terminalId: '4' }];
    const call = { toolCallId: '4', title: 'echo out', kind: 'execute', content };
    await tell({ sessionUpdate: 'tool_call', ...call, rawInput: { command: 'echo out' } });
    const printed = (data) => ({ terminal_output_delta: { data, terminal_id: '4' } });
    const more = { sessionUpdate: 'tool_call_update', toolCallId: '4' };
    await tell({ ...more, status: 'in_progress', _meta: printed('out-') });
    await tell({ ...more, status: 'completed', _meta: printed('1\n') });
  },
  async plan({ tell }) {
    const entry = (content, status) => ({ content, status, priority: 'high' });
    await tell({ sessionUpdate: 'plan', entries: [entry('Look', 'in_progress')] });
    await tell({
      sessionUpdate: 'plan',
      entries: [entry('Look', 'completed'), entry('Do', 'pending')],
    });
  },
  async facts({ tell }) {
    const availableCommands = [{ name: 'sum', description: 'Sums up', input: { hint: 'what' } }];
    await tell({ sessionUpdate: 'available_commands_update', availableCommands });
    await tell({ sessionUpdate: 'usage_update', used: 12, size: 100, cost: usd(0.5) });
    await tell({ sessionUpdate: 'session_info_update', title: 'A title' });
  },
  async ask({ tell, client, sessionId }) {
    const toolCall = { toolCallId: 'ask-1', title: 'touch it', kind: 'execute' };
    const { outcome } = await client.request(acp.methods.client.session.requestPermission, {
      sessionId,
      toolCall: { ...toolCall, rawInput: { command: 'touch it' } },
      options,
    });
    const status = ['always', 'once'].includes(outcome.optionId) ? 'completed' : 'failed';
    await tell({ sessionUpdate: 'tool_call_update', toolCallId: 'ask-1', status });
    return outcome.optionId ?? outcome.outcome;
  },
  async look({ parts }) {
    return parts
      .map(({ type, mimeType = '', data = '' }) => `${type} ${mimeType}${data}`)
      .join(', ');
  },
  async open({ tell }) {
    await tell({ sessionUpdate: 'tool_call', toolCallId: '3', title: 'never told', kind: 'other' });
  },
  async secret() {
    return ['The key is sk-ant-api03-', 'A'.repeat(93), 'AA, keep it.'];
  },
  async chosen() {
    return `${chosen.model} ${chosen.mode}`;
  },
  async wait({ tell, sessionId }) {
    await tell({ sessionUpdate: 'agent_message_chunk', ...text(`waiting ${process.pid}`) });
    await new Promise((resolve) => cancels.set(sessionId, resolve));
    return undefined;
  },
};

function usd(amount) {
  return { amount, currency: 'USD' };
}

const agent = acp
  .agent({ name: 'fake' })
  .onRequest(acp.methods.agent.initialize, () => ({
    protocolVersion: Number(process.env.FAKE_PROTOCOL ?? 1),
    agentCapabilities: {
      loadSession: !without.has('load'),
      promptCapabilities: { image: !without.has('images') },
    },
    authMethods: without.has('sign-in') ? [] : [{ id: 'browser', name: 'With a browser' }],
  }))
  .onRequest(acp.methods.agent.session.new, () => {
    if (process.env.FAKE_SIGNED_OUT) throw acp.RequestError.authRequired();
    const sessionId = randomUUID();
    writeFileSync(fileOf(sessionId), '[]');
    return { sessionId, modes, configOptions: [model('small')] };
  })
  .onRequest(acp.methods.agent.session.load, async ({ params: { sessionId }, client }) => {
    if (!existsSync(fileOf(sessionId))) throw acp.RequestError.resourceNotFound(sessionId);
    for (const { who, words } of past(sessionId)) {
      const update = { sessionUpdate: `${who}_message_chunk`, ...text(words) };
      await client.notify(acp.methods.client.session.update, { sessionId, update });
    }
    return { modes, configOptions: [model('small')] };
  })
  .onRequest(acp.methods.agent.session.setMode, ({ params }) => {
    chosen = { ...chosen, mode: params.modeId };
    return {};
  })
  .onRequest(acp.methods.agent.session.setConfigOption, ({ params }) => {
    chosen = { ...chosen, model: params.value };
    return { configOptions: [model(params.value)] };
  })
  .onNotification(acp.methods.agent.session.cancel, ({ params }) => {
    cancels.get(params.sessionId)?.();
    cancels.set(params.sessionId, 'cancelled');
  })
  .onRequest(acp.methods.agent.session.prompt, async ({ params, client }) => {
    const { sessionId } = params;
    const [{ text: prompt }] = params.prompt;
    const tell = (update) =>
      client.notify(acp.methods.client.session.update, { sessionId, update });
    cancels.delete(sessionId);
    if (prompt === 'die') process.exit(0);
    if (prompt === 'fail') throw acp.RequestError.internalError(undefined, 'refused');
    const earlier = past(sessionId).length / 2;
    const answer = turns[prompt]
      ? await turns[prompt]({ tell, client, sessionId, parts: params.prompt })
      : `Answer to ${prompt} after ${earlier}`;
    for (const piece of answer === undefined ? [] : [answer].flat()) {
      await tell({ sessionUpdate: 'agent_message_chunk', ...text(piece) });
    }
    keep(sessionId, [
      { who: 'user', words: prompt },
      { who: 'agent', words: String(answer) },
    ]);
    if (cancels.get(sessionId) === 'cancelled') return { stopReason: 'cancelled' };
    const usage = { inputTokens: 10, outputTokens: 5, totalTokens: 15 };
    return { stopReason: prompt === 'refuse' ? 'refusal' : 'end_turn', usage };
  });

agent.connect(acp.ndJsonStream(Writable.toWeb(process.stdout), Readable.toWeb(process.stdin)));
