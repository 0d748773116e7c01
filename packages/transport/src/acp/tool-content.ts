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

/** How an editor shows a call of any agent. */
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
  const subject = kind === 'other' && call.description ? call.description : target;
  return subject === '' ? verb : `${verb} ${subject}`;
}

function isChange({ kind }: ToolView): boolean {
  return kind === 'edit' || kind === 'write';
}

/** A patch without full texts is shown as diff lines. */
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

/** Editors render Markdown; tool output is not Markdown. */
function fenced(text: string, language: string): string {
  const longest = [...text.matchAll(/`{3,}/g)].map(([run]) => run.length);
  const fence = '`'.repeat(Math.max(2, ...longest) + 1);
  return `${fence}${language}\n${text}\n${fence}`;
}

/** Full texts before and after, for every file the call changes. */
function diffsOf(input: Input, cwd: string): ToolCallContent[] {
  const [path] = pathsOf(input);
  if (path === undefined) return [];
  const edits = Array.isArray(input.edits) ? input.edits : [input];
  return edits.flatMap((edit: Input): ToolCallContent[] => {
    const oldText = firstText(edit, 'old_string', 'oldString', 'oldText');
    const newText = firstText(edit, 'new_string', 'newString', 'newText');
    const full = firstText(edit, 'content', 'file_text', 'contents');
    const place = { type: 'diff' as const, path: absolute(path, cwd) };
    if (oldText !== undefined && newText !== undefined) return [{ ...place, oldText, newText }];
    return full === undefined ? [] : [{ ...place, oldText: null, newText: full }];
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
