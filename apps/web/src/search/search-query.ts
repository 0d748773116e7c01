export interface SearchQuery {
  readonly q: string;
  readonly agent?: string | undefined;
  readonly project?: string | undefined;
}

/** Splits filters from the text: `agent:codex project:relay words`. */
export function readSearchQuery(text: string): SearchQuery {
  const agent = /(?:^|\s)agent:(\S+)/.exec(text)?.[1];
  const project = /(?:^|\s)project:(\S+)/.exec(text)?.[1];
  const q = text.replace(/(?:^|\s)(?:agent|project):\S*/g, ' ').trim();
  return { q, agent, project };
}
