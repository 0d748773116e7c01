#!/usr/bin/env node
// Speaks the app-server protocol of Codex and writes its rollout. What it does is named by the prompt.
import { randomUUID } from 'node:crypto';
import { appendFileSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

const day = join(process.env.CODEX_HOME, 'sessions', '2026', '11', '15');
mkdirSync(day, { recursive: true });
const send = (message) => process.stdout.write(`${JSON.stringify(message)}\n`);
const now = () => new Date().toISOString();
let thread;
let ordinal = 0;
let ended = () => undefined;
const waiting = new Map();

/** A thread goes on in the rollout that it has, in whichever day's folder that lies. */
function rolloutFile() {
  const sessions = join(process.env.CODEX_HOME, 'sessions');
  const names = readdirSync(sessions, { recursive: true }).map(String);
  const known = names.find((name) => name.endsWith(`-${thread}.jsonl`));
  return known ? join(sessions, known) : join(day, `rollout-2026-11-15T10-00-00-${thread}.jsonl`);
}

function write(type, payload) {
  appendFileSync(
    rolloutFile(),
    `${JSON.stringify({ timestamp: now(), ordinal: ordinal++, type, payload })}\n`,
  );
}

function open(id) {
  thread = id;
  return {
    thread: { id, sessionId: id, turns: [] },
    model: 'fake',
    modelProvider: 'fake',
    cwd: process.cwd(),
  };
}

function complete(turnId, item) {
  send({
    method: 'item/started',
    params: { threadId: thread, turnId, item, startedAtMs: Date.now() },
  });
  send({
    method: 'item/completed',
    params: { threadId: thread, turnId, item, completedAtMs: Date.now() },
  });
}

function endTurn(id, status, error = null) {
  const turn = { id, items: [], status, error };
  send({ method: 'turn/completed', params: { threadId: thread, turn } });
}

function say(turnId, text) {
  const id = `msg_${randomUUID()}`;
  complete(turnId, { type: 'agentMessage', id, text, phase: null });
  const item = { type: 'AgentMessage', id, content: [{ type: 'Text', text }] };
  write('event_msg', { type: 'item_completed', thread_id: thread, turn_id: turnId, item });
}

async function turn(id, input) {
  const [{ text }, ...images] = input;
  const user = { type: 'userMessage', id: randomUUID(), content: input };
  complete(id, user);
  const item = { type: 'UserMessage', id: user.id, content: input };
  write('event_msg', { type: 'item_completed', thread_id: thread, turn_id: id, item });
  if (text === 'die') process.exit(0);
  if (text === 'run') {
    const call = {
      type: 'function_call',
      name: 'exec_command',
      arguments: '{"cmd":"x"}',
      call_id: 'c1',
    };
    write('response_item', call);
    const live = {
      type: 'commandExecution',
      id: 'c1',
      command: 'x',
      cwd: '/w',
      status: 'completed',
    };
    complete(id, { ...live, aggregatedOutput: 'out-1\n', exitCode: 0, durationMs: 1 });
    const done = { type: 'CommandExecution', id: 'c1', command: ['x'], status: 'completed' };
    const item = {
      ...done,
      aggregated_output: 'out-1\n',
      exit_code: 0,
      duration: { secs: 0, nanos: 1e6 },
    };
    write('event_msg', { type: 'item_completed', thread_id: thread, turn_id: id, item });
    const output =
      'Chunk ID: 1\nWall time: 0.1 seconds\nProcess exited with code 0\nOutput:\nout-1\n';
    write('response_item', { type: 'function_call_output', call_id: 'c1', output });
  }
  if (text === 'fail') return endTurn(id, 'failed', { message: 'refused' });
  if (text === 'wait') {
    ended = () => endTurn(id, 'interrupted');
    return say(id, `waiting ${process.pid}`);
  }
  if (text === 'ask') {
    const params = { threadId: thread, turnId: id, itemId: 'call_1', command: 'touch it' };
    const answer = await new Promise((resolve) => {
      waiting.set('ask-1', resolve);
      // The real program, too, asks before it tells of the command.
      send({ id: 'ask-1', method: 'item/commandExecution/requestApproval', params });
      const item = {
        type: 'commandExecution',
        id: 'call_1',
        command: 'touch it',
        cwd: '/w',
        status: 'inProgress',
      };
      setTimeout(
        () => send({ method: 'item/started', params: { threadId: thread, turnId: id, item } }),
        5,
      );
    });
    say(id, answer.decision);
  } else if (text === 'choose') {
    const options = [
      { label: 'Red', description: '' },
      { label: 'Blue', description: '' },
    ];
    const questions = [{ id: 'colour', header: 'Colour', question: 'Which colour?', options }];
    const params = { threadId: thread, turnId: id, itemId: 'call_2', questions };
    const answer = await new Promise((resolve) => {
      waiting.set('ask-2', resolve);
      send({ id: 'ask-2', method: 'item/tool/requestUserInput', params });
    });
    say(id, JSON.stringify(answer.answers));
  } else
    say(id, `Answer to ${text}${images.map(({ url }) => ` with ${url.slice(5, 14)}`).join('')}`);
  endTurn(id, 'completed');
}

const methods = {
  initialize: () => ({ userAgent: process.env.FAKE_AGENT ?? 'robota/0.166.0 (Linux)' }),
  'thread/start': () => {
    const id = randomUUID();
    const opened = open(id);
    const context = { model: 'fake', turn_id: 't0' };
    write('session_meta', {
      id,
      session_id: id,
      timestamp: now(),
      cwd: process.cwd(),
      history_mode: 'paginated',
    });
    write('turn_context', context);
    return opened;
  },
  'thread/resume': ({ threadId }) => open(threadId),
  'thread/fork': ({ threadId }) => {
    const sessions = join(process.env.CODEX_HOME, 'sessions');
    const names = readdirSync(sessions, { recursive: true }).map(String);
    const old = names.find((name) => name.endsWith(`-${threadId}.jsonl`));
    const lines = readFileSync(join(sessions, old), 'utf8');
    const id = randomUUID();
    appendFileSync(
      join(day, `rollout-2026-11-15T10-00-00-${id}.jsonl`),
      lines.replaceAll(threadId, id),
    );
    return open(id);
  },
  'turn/interrupt': () => {
    ended();
    return {};
  },
};

createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params, result } = JSON.parse(line);
  if (method === undefined) return waiting.get(id)?.(result);
  if (method === 'turn/start') {
    const turnId = randomUUID();
    send({ id, result: { turn: { id: turnId, items: [], status: 'inProgress' } } });
    void turn(turnId, params.input);
    return;
  }
  if (id !== undefined) send({ id, result: methods[method]?.(params) ?? {} });
});
process.stdin.on('end', () => process.exit(0));
