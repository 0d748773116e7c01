import { once } from 'node:events';
import { createWriteStream } from 'node:fs';

const THREAD = '01a1e126-6565-7fc3-909b-adcb84138417';

/** Writes a Codex rollout (paginated) of about `bytes` bytes: turns with reasoning, text, two commands and their results. */
export async function writeCodexTranscript(path: string, bytes: number): Promise<void> {
  const out = createWriteStream(path);
  let written = 0;
  let ordinal = 0;
  const header = { id: THREAD, session_id: THREAD, cwd: '/home/tester', cli_version: '0.166.0' };
  const first = { type: 'session_meta', payload: { ...header, history_mode: 'paginated' } };
  for (let turn = 0; written < bytes; turn++) {
    const records: object[] = turn === 0 ? [first, ...turnRecords(turn)] : turnRecords(turn);
    const timestamp = new Date(1_790_000_000_000 + turn * 1000).toISOString();
    const lines = records.map((record) =>
      JSON.stringify({ timestamp, ordinal: ordinal++, ...record }),
    );
    const text = `${lines.join('\n')}\n`;
    written += Buffer.byteLength(text);
    if (!out.write(text)) await once(out, 'drain');
  }
  out.end();
  await once(out, 'finish');
}

function turnRecords(turn: number): object[] {
  const turnId = `turn-${turn}`;
  const event = (payload: object) => ({ type: 'event_msg', payload });
  const item = (payload: object) => ({ type: 'response_item', payload });
  const shown = (content: object) =>
    event({ type: 'item_completed', thread_id: THREAD, turn_id: turnId, item: content });
  const prompt = `Do step ${turn}.`;
  const thought = '**Looking**\n\n'.padEnd(300, 'x');
  const said = 'word '.repeat(80);
  const output = `line ${turn} of the output, as long as such lines are\n`.repeat(40);
  const calls = ['a', 'b'].map((name) => `call-${turn}-${name}`);
  const reply = [{ type: 'output_text', text: said, annotations: [] }];
  const usage = { input_tokens: 1000, cached_input_tokens: 400, output_tokens: 20 };
  const arguments_ = JSON.stringify({ cmd: `cat part-${turn}.txt` });
  return [
    event({ type: 'task_started', turn_id: turnId }),
    { type: 'turn_context', payload: { turn_id: turnId, cwd: '/home/tester', model: 'gpt-5.5' } },
    item({ type: 'message', role: 'user', content: [{ type: 'input_text', text: prompt }] }),
    shown({ type: 'UserMessage', id: `user-${turn}`, content: [{ type: 'text', text: prompt }] }),
    shown({ type: 'Reasoning', id: `rs-${turn}`, summary_text: [thought], raw_content: [] }),
    item({
      type: 'reasoning',
      id: `rs-${turn}`,
      summary: [{ type: 'summary_text', text: thought }],
    }),
    shown({ type: 'AgentMessage', id: `msg-${turn}`, content: [{ type: 'Text', text: said }] }),
    item({ type: 'message', id: `msg-${turn}`, role: 'assistant', content: reply }),
    ...calls.map((call_id) =>
      item({ type: 'function_call', name: 'exec_command', arguments: arguments_, call_id }),
    ),
    { type: 'token_usage_record', payload: { response_id: `resp-${turn}`, usage } },
    ...calls.flatMap((call_id) => [
      shown({
        type: 'CommandExecution',
        id: call_id,
        command: ['/bin/bash', '-lc', 'cat part.txt'],
        status: 'completed',
        aggregated_output: output,
        exit_code: 0,
        duration: { secs: 0, nanos: 8152 },
      }),
      item({
        type: 'function_call_output',
        call_id,
        output: `Chunk ID: a263c7\nProcess exited with code 0\nOutput:\n${output}`,
      }),
    ]),
    event({ type: 'task_complete', turn_id: turnId, last_agent_message: said }),
  ];
}
