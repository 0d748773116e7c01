#!/usr/bin/env node
// Speaks the Agent Client Protocol as Gemini CLI does and writes its chat. What it does is named by the prompt.
import { randomUUID } from 'node:crypto';
import { appendFileSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { createInterface } from 'node:readline';

// As the program names a project's folder.
const project = basename(process.cwd())
  .toLowerCase()
  .replace(/[^a-z0-9]+/g, '-');
const chats = join(process.env.GEMINI_CLI_HOME, '.gemini', 'tmp', project, 'chats');
mkdirSync(chats, { recursive: true });
const send = (message) =>
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
const update = (sessionId, fields) =>
  send({ method: 'session/update', params: { sessionId, update: fields } });
const chunk = (text) => ({ content: { type: 'text', text } });
const now = () => new Date().toISOString();
let file;
let cancelled = () => undefined;
const waiting = new Map();
const write = (record) => appendFileSync(file, `${JSON.stringify(record)}\n`);

function start() {
  const sessionId = randomUUID();
  const minute = now().slice(0, 16).replaceAll(':', '-');
  file = join(chats, `session-${minute}-${sessionId.slice(0, 8)}.jsonl`);
  write({ sessionId, projectHash: 'x', startTime: now(), lastUpdated: now(), kind: 'main' });
  return { sessionId };
}

function load({ sessionId }) {
  const minute = now().slice(0, 16).replaceAll(':', '-');
  const name = readdirSync(chats).find((each) => each.includes(sessionId.slice(0, 8)));
  if (name === undefined || name.includes(minute)) throw new Error('No previous sessions found');
  file = join(chats, name);
  const lines = readFileSync(file, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  // The replay goes on after the answer, as that of the program does.
  setImmediate(() => {
    for (const { type, content } of lines) {
      if (type === 'user')
        update(sessionId, { sessionUpdate: 'user_message_chunk', ...chunk(content[0].text) });
      if (type === 'gemini')
        update(sessionId, { sessionUpdate: 'agent_message_chunk', ...chunk(content) });
    }
  });
  return {};
}

async function prompt(sessionId, [{ text }, ...images]) {
  const sent = images.map(({ data, mimeType }) => ({ inlineData: { data, mimeType } }));
  write({ id: randomUUID(), timestamp: now(), type: 'user', content: [{ text }, ...sent] });
  const say = (answer, more = {}) => {
    update(sessionId, { sessionUpdate: 'agent_message_chunk', ...chunk(answer) });
    write({
      id: randomUUID(),
      timestamp: now(),
      type: 'gemini',
      content: answer,
      model: 'fake',
      ...more,
    });
  };
  if (text === 'die') process.exit(0);
  if (text === 'fail') throw new Error('refused');
  if (text === 'wait') {
    say(`waiting ${process.pid}`);
    return new Promise((resolve) => {
      cancelled = () => resolve({ stopReason: 'cancelled' });
    });
  }
  if (text === 'tool') {
    const id = 'read_file__read_file_1794789852090_0';
    update(sessionId, {
      sessionUpdate: 'tool_call',
      toolCallId: id,
      status: 'in_progress',
      title: 'a.txt',
      kind: 'read',
    });
    update(sessionId, {
      sessionUpdate: 'tool_call_update',
      toolCallId: id,
      status: 'completed',
      content: [],
    });
    const response = {
      functionResponse: { id, name: 'read_file', response: { output: 'the content' } },
    };
    const call = {
      id,
      name: 'read_file',
      args: { file_path: 'a.txt' },
      result: [response],
      status: 'success',
      timestamp: now(),
    };
    // The chat has the call before the model goes on.
    const made = { id: randomUUID(), timestamp: now(), type: 'gemini', content: '', model: 'fake' };
    write({ ...made, toolCalls: [call] });
    write({ id: randomUUID(), timestamp: now(), type: 'user', content: [response] });
    say('Read.');
    return { stopReason: 'end_turn' };
  }
  if (text === 'ask') {
    const toolCall = {
      toolCallId: 'run_shell_command__run_shell_command_1794789852091_0',
      title: 'touch it',
      kind: 'execute',
      content: [],
    };
    const options = [
      { optionId: 'proceed_always', name: 'Always', kind: 'allow_always' },
      { optionId: 'proceed_once', name: 'Once', kind: 'allow_once' },
      { optionId: 'cancel', name: 'No', kind: 'reject_once' },
    ];
    const { outcome } = await new Promise((resolve) => {
      waiting.set('ask-1', resolve);
      send({
        id: 'ask-1',
        method: 'session/request_permission',
        params: { sessionId, toolCall, options },
      });
    });
    say(outcome.optionId ?? outcome.outcome);
    return { stopReason: 'end_turn' };
  }
  say(`Answer to ${text}${images.map(({ mimeType }) => ` with ${mimeType}`).join('')}`);
  return { stopReason: 'end_turn' };
}

const methods = {
  initialize: () => ({
    protocolVersion: 1,
    agentInfo: { name: 'gemini-cli', version: process.env.FAKE_VERSION ?? '0.61.0' },
  }),
  'session/new': start,
  'session/load': load,
  'session/prompt': ({ sessionId, prompt: parts }) => prompt(sessionId, parts),
};

async function receive(line) {
  const { id, method, params, result } = JSON.parse(line);
  if (method === undefined) return waiting.get(id)?.(result);
  if (method === 'session/cancel') return cancelled();
  try {
    send({ id, result: (await methods[method]?.(params)) ?? {} });
  } catch (error) {
    send({ id, error: { code: 400, message: error.message } });
  }
}

createInterface({ input: process.stdin }).on('line', (line) => void receive(line));
process.stdin.on('end', () => process.exit(0));
