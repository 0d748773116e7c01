#!/usr/bin/env node
// Speaks the stream-json of Claude Code, both ways, and writes its transcript. What it does is named by the prompt.
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import {
  appendFileSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  realpathSync,
} from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

const args = process.argv.slice(2);
if (args.includes('--version')) {
  process.stdout.write(`${process.env.FAKE_VERSION ?? '2.1.325 (Claude Code)'}\n`);
  process.exit(0);
}
const flags = ['--include-partial-messages', '--replay-user-messages'];
if (!process.env.FAKE_OLD) flags.push('--forward-subagent-text');
if (args.includes('--help')) {
  process.stdout.write(
    `Usage: claude\n${flags.map((flag) => `  ${flag}  What it does\n`).join('')}`,
  );
  process.exit(0);
}
if (process.env.FAKE_OLD && args.includes('--forward-subagent-text')) {
  process.stderr.write("error: unknown option '--forward-subagent-text'\n");
  process.exit(1);
}
if (process.env.FAKE_BROKEN) process.exit(1);
const option = (name) => (args.includes(name) ? args[args.indexOf(name) + 1] : undefined);
const project = realpathSync(process.cwd()).replace(/[^A-Za-z0-9]/g, '-');
const config = process.env.CLAUDE_CONFIG_DIR ?? join(homedir(), '.claude');
const folder = join(config, 'projects', project);
const sessionId = option('--session-id') ?? option('--resume');
const file = join(folder, `${sessionId}.jsonl`);
const given = option('--session-id');
if (given !== undefined && !/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(given)) {
  process.stderr.write('Error: Invalid session ID. Must be a valid UUID.\n');
  process.exit(1);
}
mkdirSync(folder, { recursive: true });
if (option('--resume') && !existsSync(join(folder, `${option('--resume')}.jsonl`))) {
  process.stderr.write('No conversation found\n');
  process.exit(1);
}
if (args.includes('--fork-session'))
  copyFileSync(join(folder, `${option('--resume')}.jsonl`), file);

let parentUuid = existsSync(file)
  ? readFileSync(file, 'utf8')
      .trim()
      .split('\n')
      .map(JSON.parse)
      .findLast(({ uuid }) => uuid)?.uuid
  : null;
let waiting;
const send = (message) =>
  process.stdout.write(`${JSON.stringify({ session_id: sessionId, ...message })}\n`);
// The real program says a thing first and writes it down a little later.
const write = (line) => {
  const append = () => appendFileSync(file, `${JSON.stringify(line)}\n`);
  if (process.env.FAKE_FLUSH_MS) setTimeout(append, Number(process.env.FAKE_FLUSH_MS));
  else append();
};

function node(type, message, uuid = randomUUID(), more = {}) {
  const line = {
    parentUuid,
    isSidechain: false,
    type,
    message,
    uuid,
    timestamp: new Date().toISOString(),
    sessionId,
    cwd: process.cwd(),
    version: '2.1.325',
    ...more,
  };
  parentUuid = uuid;
  write(line);
  return line;
}

function say(block, stop) {
  const message = {
    id: `msg_${randomUUID()}`,
    type: 'message',
    role: 'assistant',
    model: 'fake',
    content: [block],
    stop_reason: stop,
    usage: { input_tokens: 1, output_tokens: 1 },
  };
  const { uuid, timestamp } = node('assistant', message);
  send({ type: 'assistant', message, parent_tool_use_id: null, uuid, timestamp });
}

function result(fields) {
  send({ type: 'result', subtype: 'success', is_error: false, result: '', usage: {}, ...fields });
}

function answerTool(id, text, isError, tool_use_result) {
  const content = [{ type: 'tool_result', tool_use_id: id, content: text, is_error: isError }];
  const message = { role: 'user', content };
  const { uuid, timestamp } = node('user', message, randomUUID(), {
    toolUseResult: tool_use_result,
  });
  send({ type: 'user', message, parent_tool_use_id: null, uuid, timestamp, tool_use_result });
}

function askPerson(tool_name, input, more) {
  const request = { subtype: 'can_use_tool', tool_name, input, tool_use_id: 'toolu_ask', ...more };
  send({ type: 'control_request', request_id: 'ask-1', request });
}

const acts = {
  ask() {
    const input = { command: 'touch it' };
    say({ type: 'tool_use', id: 'toolu_ask', name: 'Bash', input }, 'tool_use');
    waiting = ({ behavior, message = '', updatedInput = {}, updatedPermissions = [] }) => {
      // Rules for the project last; the real program writes them where this one does.
      if (updatedPermissions.some(({ destination }) => destination === 'localSettings')) {
        mkdirSync('.claude', { recursive: true });
        appendFileSync('.claude/settings.local.json', JSON.stringify(updatedPermissions));
      }
      answerTool('toolu_ask', message || updatedInput.command, behavior !== 'allow');
      say({ type: 'text', text: behavior }, 'end_turn');
      result({});
    };
    askPerson('Bash', input, {
      permission_suggestions: [
        {
          type: 'addRules',
          rules: [{ toolName: 'Bash', ruleContent: 'touch it' }],
          behavior: 'allow',
          destination: 'localSettings',
        },
      ],
    });
  },
  // A choice: the words are an answer beside the input.
  choose() {
    const options = [{ label: 'Red' }, { label: 'Blue', description: 'like the sky' }];
    const input = { questions: [{ question: 'Which colour?', header: 'Colour', options }] };
    say({ type: 'tool_use', id: 'toolu_ask', name: 'AskUserQuestion', input }, 'tool_use');
    waiting = ({ updatedInput = {} }) => acts.other(JSON.stringify(updatedInput.answers ?? null));
    askPerson('AskUserQuestion', input, {});
  },
  // A plan stands in the call, not in the question.
  plan() {
    const input = { plan: 'First this, then that.' };
    say({ type: 'tool_use', id: 'toolu_ask', name: 'ExitPlanMode', input }, 'tool_use');
    waiting = ({ behavior }) => acts.other(behavior);
    askPerson('ExitPlanMode', {}, {});
  },
  fail() {
    result({ is_error: true, result: 'API Error: 400 refused' });
  },
  die() {
    say({ type: 'text', text: 'Half' }, null);
    process.exit(0);
  },
  // A shell that left the process group, as agents start them.
  shell() {
    const shell = spawn('sleep', ['300'], { detached: true, stdio: 'ignore' });
    say({ type: 'text', text: `shell ${shell.pid} of ${process.pid}` }, null);
  },
  // A background agent continues after the turn and reports once FAKE_DONE_FILE exists.
  background() {
    const input = { prompt: 'Look', subagent_type: 'general-purpose' };
    say({ type: 'tool_use', id: 'toolu_bg', name: 'Agent', input }, 'tool_use');
    const launched = { isAsync: true, status: 'async_launched', agentId: 'bg1' };
    answerTool('toolu_bg', 'Launched', false, launched);
    acts.other('background');
    const doneFile = process.env.FAKE_DONE_FILE;
    if (doneFile === undefined) return;
    const timer = setInterval(() => {
      if (!existsSync(doneFile)) return;
      clearInterval(timer);
      const agents = join(folder, sessionId, 'subagents');
      mkdirSync(agents, { recursive: true });
      const line = { isSidechain: true, agentId: 'bg1', parentUuid: null, sessionId };
      const stamp = { uuid: randomUUID(), timestamp: new Date().toISOString() };
      const message = { role: 'user', content: 'Look' };
      const text = JSON.stringify({ ...line, ...stamp, type: 'user', message });
      appendFileSync(join(agents, 'agent-bg1.jsonl'), `${text}\n`);
      const report =
        '<task-id>bg1</task-id><tool-use-id>toolu_bg</tool-use-id><status>completed</status>';
      const done = `<task-notification>${report}<result>Seen</result></task-notification>`;
      node('user', { role: 'user', content: done });
      // The program also reports it live, outside a turn.
      send({
        type: 'system',
        subtype: 'task_notification',
        task_id: 'bg1',
        tool_use_id: 'toolu_bg',
      });
    }, 10);
  },
  kill() {
    say({ type: 'tool_use', id: 'toolu_kill', name: 'Bash', input: { command: 'x' } }, 'tool_use');
    setTimeout(() => process.kill(process.pid, 'SIGKILL'), 20);
  },
  write() {
    appendFileSync('made.txt', 'made\n');
    acts.other('made');
  },
  arguments() {
    acts.other(JSON.stringify(args));
  },
  other(text) {
    say({ type: 'text', text: `Answer to ${text}` }, 'end_turn');
    result({});
  },
};

createInterface({ input: process.stdin }).on('line', (line) => {
  const message = JSON.parse(line);
  if (message.type === 'control_response') waiting?.(message.response.response);
  if (message.type === 'control_request') {
    if (process.env.FAKE_DEAF) return;
    result({
      subtype: 'error_during_execution',
      is_error: true,
      terminal_reason: 'aborted_streaming',
    });
  }
  if (message.type !== 'user') return;
  send({ type: 'system', subtype: 'init', model: 'fake', cwd: process.cwd(), tools: [] });
  node('user', message.message, message.uuid);
  send({ ...message, isReplay: true });
  const { content } = message.message;
  const [{ text }, ...images] = typeof content === 'string' ? [{ text: content }] : content;
  const seen = images.map(({ source }) => ` with ${source.media_type}`).join('');
  (acts[text] ?? acts.other)(`${text}${seen}`);
});
process.stdin.on('end', () => {
  // Totals are written when the program ends.
  const totals = { type: 'cost-state', sessionId, totalCostUSD: 0.5, modelUsage: {} };
  if (existsSync(file)) appendFileSync(file, `${JSON.stringify(totals)}\n`);
  process.exit(0);
});
process.on('SIGTERM', () => process.stdin.emit('end'));
