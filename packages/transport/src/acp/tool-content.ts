import { isAbsolute, join } from 'node:path';
import type {
  ToolKind as AcpToolKind,
  ToolCallContent,
  ToolCallLocation,
} from '@agentclientprotocol/sdk';
import {
  describeTool,
  type ToolResultBlock,
  type ToolUseBlock,
  type ToolView,
} from '@robota-sdk/agent-transcript';

/** What an editor shows of a call, whichever agent made it. */
export interface ShownCall {
  readonly title: string;
  readonly kind: AcpToolKind;
  readonly locations: ToolCallLocation[];
  readonly content: ToolCallContent[];
}

export function showCall(
  call: ToolUseBlock,
  { cwd, result }: { readonly cwd: string; readonly result?: ToolResultBlock | undefined },
): ShownCall {
  const view = describeTool(call, result);
  const paths = pathsOf(call.input).map((path) => absolute(path, cwd));
  const diffs = isChange(view) ? diffsOf(call.input, cwd) : [];
  return {
    title: titleOf(call, view),
    kind: ACP_KINDS[view.kind],
    locations: paths.map((path) => ({ path })),
    content: diffs.length > 0 && !result?.isError ? diffs : textContent(view),
  };
}

function titleOf(call: ToolUseBlock, { kind, verb, target }: ToolView): string {
  if (kind === 'shell' && target !== '') return target;
  const words = kind === 'other' && call.description ? call.description : target;
  return words === '' ? verb : `${verb} ${words}`;
}

function isChange({ kind }: ToolView): boolean {
  return kind === 'edit' || kind === 'write';
}

/** A patch whose texts are not told is shown as lines. */
function textContent({ diff, text, kind }: ToolView): ToolCallContent[] {
  if (diff && (kind === 'edit' || kind === 'write')) {
    const lines = diff.lines.map(({ sign, text: line }) => `${sign}${line}`).join('\n');
    return [asText(fenced(lines, 'diff'))];
  }
  return text === '' ? [] : [asText(fenced(text, ''))];
}

function asText(text: string): ToolCallContent {
  return { type: 'content', content: { type: 'text', text } };
}

/** Editors read Markdown; what a tool says is not Markdown. */
function fenced(text: string, language: string): string {
  const longest = [...text.matchAll(/`{3,}/g)].map(([run]) => run.length);
  const fence = '`'.repeat(Math.max(2, ...longest) + 1);
  return `${fence}${language}\n${text}\n${fence}`;
}

/** Whole texts before and after, for every file that the call changes. */
function diffsOf(input: Input, cwd: string): ToolCallContent[] {
  const [path] = pathsOf(input);
  if (path === undefined) return [];
  const edits = Array.isArray(input.edits) ? input.edits : [input];
  return edits.flatMap((edit: Input): ToolCallContent[] => {
    const oldText = firstText(edit, 'old_string', 'oldString', 'oldText');
    const newText = firstText(edit, 'new_string', 'newString', 'newText');
    const whole = firstText(edit, 'content', 'file_text', 'contents');
    const place = { type: 'diff' as const, path: absolute(path, cwd) };
    if (oldText !== undefined && newText !== undefined) return [{ ...place, oldText, newText }];
    return whole === undefined ? [] : [{ ...place, oldText: null, newText: whole }];
  });
}

function pathsOf(input: Input): string[] {
  const path = firstText(input, 'file_path', 'filePath', 'path', 'absolute_path', 'notebook_path');
  const changes = Array.isArray(input.changes) ? (input.changes as Input[]) : [];
  const changed = changes.map((change) => firstText(change, 'path') ?? '');
  return [...(path === undefined ? [] : [path]), ...changed].filter((each) => each !== '');
}

function firstText(input: Input, ...names: readonly string[]): string | undefined {
  return names.map((name) => input[name]).find((value) => typeof value === 'string');
}

function absolute(path: string, cwd: string): string {
  return isAbsolute(path) ? path : join(cwd, path);
}

type Input = Readonly<Record<string, unknown>>;

const ACP_KINDS: Readonly<Record<ToolView['kind'], AcpToolKind>> = {
  shell: 'execute',
  read: 'read',
  edit: 'edit',
  write: 'edit',
  search: 'search',
  list: 'search',
  fetch: 'fetch',
  web_search: 'fetch',
  plan: 'think',
  agent: 'think',
  question: 'think',
  other: 'other',
};
