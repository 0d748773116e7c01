import type { PermissionLists, ToolParameters } from '@robota-sdk/agent-core';

/** What the user allowed for the rest of this session: tools by name, calls by pattern. */
export class SessionGrants {
  readonly #tools = new Set<string>();
  readonly #patterns = new Set<string>();

  allowTool(name: string): void {
    this.#tools.add(name);
  }

  allowPattern(pattern: string): void {
    this.#patterns.add(pattern);
  }

  async covers(
    toolName: string,
    toolArgs: ToolParameters,
    lists: PermissionLists,
  ): Promise<boolean> {
    if (this.#tools.has(toolName)) return true;
    if (this.#patterns.size === 0) return false;
    const { explainPermission } = await import('@robota-sdk/agent-core/permissions');
    const { ask: _ask, ...rest } = lists;
    const granted = { ...rest, allow: [...this.#patterns] };
    const { decision, rule } = explainPermission(toolName, toolArgs, 'default', granted);
    return decision === 'auto' && rule !== undefined && this.#patterns.has(rule);
  }

  list(): string[] {
    return [...this.#tools, ...this.#patterns];
  }

  revoke(grant: string): boolean {
    const wasTool = this.#tools.delete(grant);
    return this.#patterns.delete(grant) || wasTool;
  }

  clear(): void {
    this.#tools.clear();
    this.#patterns.clear();
  }
}
