import { AgentConfigError } from '../agent/agent-config-error.ts';
import type { Tool, ToolSchema } from '../tool.ts';

/** The tools of an agent, by name. */
export class ToolRegistry {
  readonly tools: readonly Tool[];
  readonly schemas: readonly ToolSchema[];
  readonly #byName = new Map<string, Tool>();

  constructor(tools: readonly Tool[]) {
    for (const tool of tools) this.#register(tool);
    this.tools = [...tools];
    this.schemas = tools.map((tool) => tool.schema);
  }

  get(name: string): Tool | undefined {
    return this.#byName.get(name);
  }

  get names(): readonly string[] {
    return [...this.#byName.keys()];
  }

  #register(tool: Tool): void {
    const name: unknown = tool?.schema?.name;
    if (typeof name !== 'string' || name === '') {
      throw new AgentConfigError('tools', 'has a tool without a name in its schema');
    }
    if (typeof tool.execute !== 'function') {
      throw new AgentConfigError('tools', `has a tool "${name}" without an execute function`);
    }
    if (this.#byName.has(name)) throw new AgentConfigError('tools', `names "${name}" twice`);
    this.#byName.set(name, tool);
  }
}
