import {
  asArray,
  asRecord,
  asString,
  compact,
  isRecord,
  type JsonRecord,
} from '../../json-record.ts';

/** The tool's name from the protocol's field or the agent's own field; else a name for its kind. */
export function callNameOf(call: JsonRecord): string | undefined {
  return asString(call.name) ?? ownNameOf(asRecord(call._meta)) ?? KIND_NAMES[String(call.kind)];
}

/** The call's raw input if reported; else what its content shows: a file change, a command, a path. */
export function callInputOf(call: JsonRecord): JsonRecord {
  const raw = asRecord(call.rawInput);
  if (Object.keys(raw).length > 0) return raw;
  const change = asArray(call.content)
    .map(asRecord)
    .find(({ type }) => type === 'diff');
  if (change !== undefined) {
    return compact({
      file_path: asString(change.path),
      old_string: asString(change.oldText) ?? '',
      new_string: asString(change.newText),
    });
  }
  const path = asString(asRecord(asArray(call.locations)[0]).path);
  const command = call.kind === 'execute' ? asString(call.title) : undefined;
  return compact({ command, file_path: path });
}

/** Text parts as text, file changes unchanged; a call without content gives its raw output. */
export function callOutputOf(call: JsonRecord): unknown {
  const shown = asArray(call.content).filter((part) => asRecord(part).type !== 'terminal');
  const parts = shown.map((part) => asString(asRecord(asRecord(part).content).text) ?? part);
  if (parts.length === 0) return call.rawOutput ?? '';
  return parts.every((part) => typeof part === 'string') ? parts.join('\n') : parts;
}

/** Command output since the last update, for agents that report it as terminal output. */
export function terminalTextOf(call: JsonRecord): string {
  const { terminal_output_delta, terminal_output } = asRecord(call._meta);
  return asString(asRecord(terminal_output_delta ?? terminal_output).data) ?? '';
}

/** `{ claudeCode: { toolName: 'Bash' } }`, `{ toolName: 'run_shell_command' }`. */
function ownNameOf(meta: JsonRecord): string | undefined {
  const own = Object.values(meta).filter(isRecord);
  return [meta, ...own].map(({ toolName }) => asString(toolName)).find((name) => name);
}

const KIND_NAMES: Readonly<Record<string, string>> = {
  read: 'Read',
  edit: 'Edit',
  search: 'Grep',
  execute: 'Bash',
  fetch: 'WebFetch',
};
