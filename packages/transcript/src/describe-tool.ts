import type { ToolResultBlock, ToolUseBlock } from './blocks.ts';
import { asArray, asNumber, asRecord, asString, type JsonRecord } from './json-record.ts';
import { readableValue } from './tool-view/readable-value.ts';
import { diffOfCall, type ToolDiff } from './tool-view/tool-diff.ts';
import { readableToolName, TOOL_VERBS, type ToolKind, toolKindOf } from './tool-view/tool-kind.ts';
import { readToolOutput } from './tool-view/tool-output.ts';

/** A call and its result as every surface shows them. */
export interface ToolView {
  readonly kind: ToolKind;
  readonly verb: string;
  /** The subject of the call on one line: a path, a command, a pattern, a URL. */
  readonly target: string;
  readonly state: 'running' | 'success' | 'error' | 'denied';
  /** True for read-only calls that have not failed; several in a row may be shown as one. */
  readonly isQuiet: boolean;
  /** All arguments by name, as text. */
  readonly fields: readonly ToolField[];
  /** The tool's output without envelopes; never JSON. */
  readonly text: string;
  readonly diff?: ToolDiff;
  /** The to-do list as it is after the call. */
  readonly steps?: readonly ToolStep[];
  readonly exitCode?: number;
  readonly durationMs?: number;
}

/** One item of an agent's to-do list. */
export interface ToolStep {
  readonly text: string;
  readonly state: 'open' | 'current' | 'done';
}

/** One argument of a tool call, as shown. */
export interface ToolField {
  readonly name: string;
  readonly value: string;
}

/** Describes a call and its result the same way for every agent. Pure. */
export function describeTool(block: ToolUseBlock, result?: ToolResultBlock): ToolView {
  const { input } = block;
  const kind = kindOf(block);
  const output = result && readToolOutput(result);
  const state = stateOf(block, result);
  const diff = isChange(kind) ? diffOfCall(input, result, output?.startLine) : undefined;
  const steps = kind === 'plan' ? stepsOf(input) : [];
  const durationMs = result?.durationMs;
  return {
    kind,
    verb:
      kind === 'other' ? (block.displayName ?? readableToolName(block.toolName)) : TOOL_VERBS[kind],
    target: oneLine(targetOf(kind, input)),
    state,
    isQuiet: QUIET_KINDS.has(kind) && (state === 'running' || state === 'success'),
    fields: fieldsOf(input),
    text: output?.text ?? '',
    ...(diff && { diff }),
    ...(steps.length > 0 && { steps }),
    ...(output?.exitCode !== undefined && { exitCode: output.exitCode }),
    ...(durationMs !== undefined && { durationMs }),
  };
}

const QUIET_KINDS: ReadonlySet<ToolKind> = new Set(['read', 'search', 'list']);

function isChange(kind: ToolKind): boolean {
  return kind === 'edit' || kind === 'write';
}

/** A patch passed to the shell as `apply_patch` is an edit. */
function kindOf({ toolName, input }: ToolUseBlock): ToolKind {
  const kind = toolKindOf(toolName);
  return kind === 'shell' && asArray(input.command)[0] === 'apply_patch' ? 'edit' : kind;
}

function stateOf(block: ToolUseBlock, result: ToolResultBlock | undefined): ToolView['state'] {
  const facts = { ...asRecord(block.metadata), ...asRecord(result?.metadata) };
  if (facts.errorCode === 'denied' || facts.errorCode === 'blocked') return 'denied';
  if (facts.denial !== undefined) return 'denied';
  if (result?.isError || block.status === 'error') return 'error';
  return block.status === 'success' || result ? 'success' : 'running';
}

type TargetReader = (input: JsonRecord) => string | undefined;

const TARGETS: Readonly<Record<ToolKind, TargetReader>> = {
  shell: (input) => commandOf(input),
  read: (input) => fileRange(input) ?? pathList(input),
  edit: (input) => pathOf(input) ?? patchedFiles(input),
  write: (input) => pathOf(input),
  search: (input) => searched(input),
  list: (input) => textIn(input, 'pattern', 'path', 'dir_path', 'directory') ?? '.',
  fetch: (input) => textIn(input, 'url', 'prompt'),
  web_search: (input) => textIn(input, 'query') ?? asString(asRecord(input.action).query),
  plan: (input) => planProgress(input),
  agent: (input) => textIn(input, 'description', 'message', 'prompt'),
  question: (input) => questionsIn(input),
  other: (input) => firstField(input),
};

function targetOf(kind: ToolKind, input: JsonRecord): string {
  return TARGETS[kind](input) ?? firstField(input) ?? '';
}

function commandOf(input: JsonRecord): string | undefined {
  const parts = asArray(input.command).map(String);
  const isScript = parts.length === 3 && /^-l?c$/.test(parts[1] ?? '');
  if (isScript) return parts[2];
  return parts.length > 0 ? parts.join(' ') : textIn(input, 'command', 'cmd', 'script', 'input');
}

const PATH_NAMES = ['filePath', 'file_path', 'path', 'absolute_path', 'notebook_path', 'dir_path'];

function pathOf(input: JsonRecord): string | undefined {
  return textIn(input, ...PATH_NAMES);
}

function fileRange(input: JsonRecord): string | undefined {
  const path = pathOf(input);
  const offset = asNumber(input.offset);
  const limit = asNumber(input.limit);
  if (path === undefined || (offset === undefined && limit === undefined)) return path;
  const first = Math.max(offset ?? 1, 1);
  return `${path}:${first}${limit === undefined ? '' : `-${first + limit - 1}`}`;
}

function pathList(input: JsonRecord): string | undefined {
  const paths = [...asArray(input.paths), ...asArray(input.include)].filter(
    (path) => typeof path === 'string',
  );
  return paths.length === 0 ? undefined : paths.join(', ');
}

function patchedFiles(input: JsonRecord): string | undefined {
  const listed = asArray(input.changes).map((change) => asString(asRecord(change).path) ?? '');
  if (listed.length > 0) return listed.join(', ');
  const texts = [input.patch, input.input, input.patchText, asArray(input.command).at(-1)];
  const patch = texts.map(asString).find((text) => text !== undefined) ?? '';
  const named = [...patch.matchAll(/^\*\*\* (?:Add|Update|Delete) File: (.+)$/gm)];
  return named.length === 0 ? undefined : named.map((match) => match[1]).join(', ');
}

function searched(input: JsonRecord): string | undefined {
  const pattern = textIn(input, 'pattern', 'query', 'regex');
  const place = textIn(input, 'path', 'dir_path', 'glob', 'include');
  if (pattern === undefined) return place;
  return place === undefined ? pattern : `${pattern} in ${place}`;
}

/** Progress of a to-do list; the title of a plan written as text. */
function planProgress(input: JsonRecord): string | undefined {
  const steps = stepsOf(input);
  if (steps.length === 0) return planTitle(asString(input.plan) ?? '');
  return `${steps.filter(({ state }) => state === 'done').length} of ${steps.length} done`;
}

function planTitle(plan: string): string | undefined {
  const lines = plan.split('\n').map((line) => line.replace(/^[#>*\-\s]+/, '').trim());
  const [first, second] = lines.filter((line) => line !== '');
  // A heading that says only "Plan" repeats the verb, so the next line is used.
  return first !== undefined && /^(?:the )?plan:?$/i.test(first) ? (second ?? first) : first;
}

/** Agents use different field names for the list and its items. */
function stepsOf(input: JsonRecord): readonly ToolStep[] {
  const lists = [input.todos, input.plan, input.items].map(asArray);
  const listed = lists.find((list) => list.length > 0) ?? [];
  return listed.map((value) => {
    const step = asRecord(value);
    const text = textIn(step, 'content', 'step', 'description', 'text', 'title') ?? '';
    return { text: oneLine(text), state: stepState(step) };
  });
}

function stepState({ status, completed }: JsonRecord): ToolStep['state'] {
  if (status === 'completed' || completed === true) return 'done';
  return status === 'in_progress' ? 'current' : 'open';
}

function questionsIn(input: JsonRecord): string | undefined {
  const asked = asArray(input.questions).flatMap((each) => asString(asRecord(each).question) ?? []);
  return asked.length === 0 ? undefined : asked.join(' ');
}

function firstField(input: JsonRecord): string | undefined {
  const [first] = fieldsOf(input);
  return first?.value;
}

function fieldsOf(input: JsonRecord): ToolField[] {
  return Object.entries(input).flatMap(([name, value]) => {
    const text = readableValue(value);
    return text === '' ? [] : [{ name, value: text }];
  });
}

function textIn(input: JsonRecord, ...names: readonly string[]): string | undefined {
  return names
    .map((name) => asString(input[name]))
    .find((text) => text !== undefined && text !== '');
}

function oneLine(text: string): string {
  return text
    .trim()
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .join(' ⏎ ');
}
