/** What a call does, independent of the agent and its tool names. */
export type ToolKind =
  | 'shell'
  | 'read'
  | 'edit'
  | 'write'
  | 'search'
  | 'list'
  | 'fetch'
  | 'web_search'
  | 'plan'
  | 'agent'
  | 'question'
  | 'other';

/** Tool names in lower case without separators. */
const NAMES: Readonly<Record<Exclude<ToolKind, 'other'>, readonly string[]>> = {
  shell: ['bash', 'shell', 'execcommand', 'localshell', 'runshellcommand', 'execute', 'exec'],
  read: ['read', 'readfile', 'readmanyfiles', 'view', 'viewimage', 'notebookread'],
  edit: ['edit', 'multiedit', 'replace', 'applypatch', 'patch', 'notebookedit', 'editfile'],
  write: ['write', 'writefile', 'createfile'],
  search: ['grep', 'grepsearch', 'searchfilecontent', 'search', 'rg'],
  list: ['glob', 'ls', 'list', 'listdirectory', 'find', 'findfiles'],
  fetch: ['webfetch', 'fetch'],
  web_search: ['websearch', 'googlewebsearch'],
  plan: ['todowrite', 'todoread', 'writetodos', 'updateplan', 'exitplanmode'],
  agent: ['agent', 'task', 'spawnagent'],
  question: ['askuserquestion', 'askuser', 'requestuserinput', 'question'],
};

const KINDS: ReadonlyMap<string, ToolKind> = new Map(
  Object.entries(NAMES).flatMap(([kind, names]) => names.map((name) => [name, kind as ToolKind])),
);

export const TOOL_VERBS: Readonly<Record<Exclude<ToolKind, 'other'>, string>> = {
  shell: 'Bash',
  read: 'Read',
  edit: 'Edit',
  write: 'Write',
  search: 'Search',
  list: 'List',
  fetch: 'Fetch',
  web_search: 'Search the web',
  plan: 'Plan',
  agent: 'Agent',
  question: 'Ask',
};

export function toolKindOf(toolName: string): ToolKind {
  return KINDS.get(toolName.toLowerCase().replaceAll(/[^a-z]/g, '')) ?? 'other';
}

/** `mcp__linear__create_issue` -> `linear: create issue`; other names as words. */
export function readableToolName(toolName: string): string {
  const parts = toolName.replace(/^mcp__/, '').split('__');
  const words = parts.map((part) => part.replaceAll(/[_-]+/g, ' ').trim()).filter(Boolean);
  return words.join(': ') || 'Tool';
}
