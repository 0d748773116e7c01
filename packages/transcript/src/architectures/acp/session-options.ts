import { asArray, asRecord, asString, isRecord, type JsonRecord } from '../../json-record.ts';
import type { AgentPermissionMode } from '../agent-program.ts';

/** A request that changes an option of an open session. */
export interface OptionRequest {
  readonly method: string;
  readonly params: JsonRecord;
}

/** The requests that set model and mode; throws if the agent does not offer them. */
export function optionRequests(
  title: string,
  opened: JsonRecord,
  wanted: { readonly model: string | undefined; readonly mode: AgentPermissionMode | undefined },
): OptionRequest[] {
  const { model, mode } = wanted;
  return [
    ...(model === undefined ? [] : [modelRequest(title, opened, model)]),
    // Agents ask before changes by default.
    ...(mode === undefined || mode === 'default' ? [] : [modeRequest(title, opened, mode)]),
  ];
}

function modelRequest(title: string, opened: JsonRecord, model: string): OptionRequest {
  const option = optionOf(opened, 'model');
  const offered = option ? valuesOf(option) : [];
  if (option && offered.includes(model)) return setOption(option, model);
  const models = asArray(asRecord(opened.models).availableModels).map(
    (each) => asString(asRecord(each).modelId) ?? '',
  );
  if (models.includes(model)) return { method: 'session/set_model', params: { modelId: model } };
  throw notOffered(`${title} has no model "${model}"`, [...offered, ...models]);
}

function modeRequest(title: string, opened: JsonRecord, mode: AgentPermissionMode): OptionRequest {
  const modes = asArray(asRecord(opened.modes).availableModes).map(
    (each) => asString(asRecord(each).id) ?? '',
  );
  const option = optionOf(opened, 'mode');
  const offered = option ? valuesOf(option) : [];
  const isMatch = (id: string) => MODE_NAMES[mode].includes(plain(id));
  const modeId = modes.find(isMatch);
  if (modeId !== undefined) return { method: 'session/set_mode', params: { modeId } };
  const value = offered.find(isMatch);
  if (option && value !== undefined) return setOption(option, value);
  throw notOffered(`${title} has no mode like "${mode}"`, [...new Set([...modes, ...offered])]);
}

function setOption(option: JsonRecord, value: string): OptionRequest {
  return { method: 'session/set_config_option', params: { configId: option.id, value } };
}

function optionOf(opened: JsonRecord, category: string): JsonRecord | undefined {
  return asArray(opened.configOptions)
    .filter(isRecord)
    .find((option) => option.category === category && option.type === 'select');
}

/** Options are a flat list, or lists in groups. */
function valuesOf(option: JsonRecord): string[] {
  return asArray(option.options).flatMap((each) => {
    const { value, options } = asRecord(each);
    return typeof value === 'string' ? [value] : valuesOf({ options });
  });
}

function notOffered(problem: string, offered: readonly string[]): Error {
  const list = offered.length === 0 ? 'it offers none' : `it offers ${offered.join(', ')}`;
  return Object.assign(new Error(`${problem}; ${list}.`), { code: 'not_supported' });
}

function plain(id: string): string {
  return id.toLowerCase().replaceAll(/[^a-z]/g, '');
}

/** The names agents use for each mode, in lower case without separators. */
const MODE_NAMES: Readonly<Record<AgentPermissionMode, readonly string[]>> = {
  default: ['default', 'ask'],
  acceptEdits: ['acceptedits', 'autoedit'],
  plan: ['plan', 'readonly'],
  bypassPermissions: ['bypasspermissions', 'yolo', 'fullaccess', 'agentfullaccess'],
};
