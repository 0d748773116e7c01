/** Writes transcript lines as Claude Code does: each line's parent is the previous one by default. */
export class ClaudeSession {
  readonly lines: string[] = [];
  #count = 0;
  #parent: string | null = null;

  readonly #fields: object;

  constructor(fields: object = {}) {
    this.#fields = fields;
  }

  get text(): string {
    return `${this.lines.join('\n')}\n`;
  }

  line(type: string, fields: object = {}): string {
    this.#count += 1;
    const uuid = `u${this.#count}`;
    const second = String(this.#count).padStart(2, '0');
    this.raw({
      parentUuid: this.#parent,
      isSidechain: false,
      sessionId: 's1',
      cwd: '/work',
      version: '2.1.325',
      type,
      uuid,
      timestamp: `2026-01-01T00:00:${second}.000Z`,
      ...this.#fields,
      ...fields,
    });
    this.#parent = uuid;
    return uuid;
  }

  /** The next line's parent is this one. */
  from(uuid: string | null): this {
    this.#parent = uuid;
    return this;
  }

  raw(value: object | string): void {
    this.lines.push(typeof value === 'string' ? value : JSON.stringify(value));
  }

  user(content: unknown, fields: object = {}): string {
    return this.line('user', { message: { role: 'user', content }, ...fields });
  }

  assistant(id: string, block: object, fields: object = {}): string {
    const usage = { input_tokens: 10, output_tokens: 5 };
    const message = { id, role: 'assistant', model: 'claude-x', content: [block], usage };
    return this.line('assistant', { message, ...fields });
  }

  says(id: string, text: string, fields: object = {}): string {
    return this.assistant(id, { type: 'text', text }, fields);
  }

  calls(id: string, tool: string, call: { name?: string; input?: object } = {}): string {
    const { name = 'Read', input = {} } = call;
    return this.assistant(id, { type: 'tool_use', id: tool, name, input });
  }

  result(tool: string, content: unknown, fields: object = {}): string {
    return this.user([{ type: 'tool_result', tool_use_id: tool, content }], fields);
  }
}
