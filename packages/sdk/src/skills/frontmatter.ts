import { parseDocument } from 'yaml';

/** A Markdown file split into its YAML frontmatter and the text below. */
export interface MarkdownFile {
  readonly fields: Readonly<Record<string, unknown>>;
  readonly body: string;
}

const FRONTMATTER = /^\uFEFF?---[ \t]*\r?\n([\s\S]*?)(?:\r?\n)?---[ \t]*(?:\r?\n|$)/;

/** A file without frontmatter is all body; invalid frontmatter throws an error that names the file. */
export function parseFrontmatter(text: string, file: string): MarkdownFile {
  const match = FRONTMATTER.exec(text);
  if (!match) return { fields: {}, body: text.replace(/^\uFEFF/, '').trim() };
  const value = parseYaml(match[1] ?? '', file);
  if (value !== null && (typeof value !== 'object' || Array.isArray(value))) {
    throw new Error(`Cannot read ${file}: its frontmatter is not a list of fields`);
  }
  return { fields: { ...value }, body: text.slice(match[0].length).trim() };
}

/** Claude Code accepts `description: Use when: …`, so an unquoted value that is invalid YAML is read as text. */
function parseYaml(text: string, file: string): unknown {
  const strict = parseDocument(text);
  if (strict.errors.length === 0) return strict.toJS();
  const lenient = parseDocument(quotePlainLines(text));
  if (lenient.errors.length === 0) return lenient.toJS();
  const [error] = strict.errors;
  const reason = error?.message.split('\n')[0];
  throw new Error(`Cannot read ${file}: its frontmatter is not valid YAML (${reason})`, {
    cause: error,
  });
}

function quotePlainLines(text: string): string {
  return text.replaceAll(
    /^([A-Za-z][\w-]*):[ \t]+([^\s'"[{|>&*!#].*)$/gm,
    (_line, key: string, value: string) => `${key}: ${JSON.stringify(value.trim())}`,
  );
}

export function textField(fields: MarkdownFile['fields'], name: string): string | undefined {
  const value = fields[name];
  if (typeof value === 'string') return value.trim() === '' ? undefined : value.trim();
  return typeof value === 'number' ? String(value) : undefined;
}

export function flagField(fields: MarkdownFile['fields'], name: string): boolean | undefined {
  const value = fields[name];
  if (typeof value === 'boolean') return value;
  return value === 'true' || value === 'false' ? value === 'true' : undefined;
}

/** A YAML list, or names separated by commas or spaces; a rule such as `Bash(git *)` is one name. */
export function namesField(
  fields: MarkdownFile['fields'],
  name: string,
): readonly string[] | undefined {
  const value = fields[name];
  if (Array.isArray(value)) return value.map(String);
  if (typeof value !== 'string') return undefined;
  return value.match(/[^\s,(]+(?:\([^)]*\))?/g) ?? [];
}
