/** Small handwritten rollouts for cases without a recording, in the program's format, one line per second. */

export const THREAD = '01a1e126-0000-7000-8000-000000000001';

/** A rollout of 0.148 and later. */
export function rollout(...records: readonly object[]): string {
  return numbered([header({}), ...records], 0);
}

export function header(about: object, id = THREAD): object {
  const meta = { id, session_id: id, cwd: '/home/tester', cli_version: '0.166.0', source: 'exec' };
  return { type: 'session_meta', payload: { ...meta, history_mode: 'paginated', ...about } };
}

export function numbered(records: readonly object[], from: number): string {
  return records
    .map((record, index) =>
      JSON.stringify({ timestamp: timeOf(from + index), ordinal: from + index, ...record }),
    )
    .join('\n');
}

/** A rollout before 0.148: lines without numbers. */
export function legacyRollout(...records: readonly object[]): string {
  const meta = { type: 'session_meta', payload: { id: THREAD, cwd: '/home/tester' } };
  return [meta, ...records]
    .map((record, index) => JSON.stringify({ timestamp: timeOf(index), ...record }))
    .join('\n');
}

export const item = (payload: object) => ({ type: 'response_item', payload });
export const event = (payload: object) => ({ type: 'event_msg', payload });
export const shown = (content: object) => event({ type: 'item_completed', item: content });

export function prompt(text: string, id = `user-${text}`): object {
  return shown({ type: 'UserMessage', id, content: [{ type: 'text', text }] });
}

export function reply(text: string, id: string): object {
  return item({ type: 'message', id, role: 'assistant', content: [{ type: 'output_text', text }] });
}

export function call(call_id: string, name: string, args: string): object {
  return item({ type: 'function_call', name, arguments: args, call_id });
}

export function output(call_id: string, text: unknown): object {
  return item({ type: 'function_call_output', call_id, output: text });
}

function timeOf(second: number): string {
  return new Date(Date.UTC(2026, 0, 1, 0, 0, second)).toISOString();
}
