import type {
  Catalogue,
  CatalogueSession,
  CatalogueState,
  ListQuery,
  RefreshReport,
  Resolution,
  SearchPage,
  SessionPage,
  SessionScope,
  UsageReport,
} from '@robota-sdk/agent-archive';
import { listSessionSummaries } from '@robota-sdk/agent-sdk';
import { neutraliseLine, toAgentName } from '@robota-sdk/agent-transcript';

const NEEDS_DATABASE =
  'This needs the catalogue, and its database cannot be opened here. Run robota doctor.';

/** A catalogue without a database: lists and finds sessions by their heads, without search or usage. */
export class PlainCatalogue implements Catalogue {
  #sessions: Promise<CatalogueSession[]> | undefined;

  async refresh(): Promise<RefreshReport> {
    const sessions = (await this.#all()).length;
    return { status: 'complete', read: sessions, removed: 0, sessions, failures: [] };
  }

  async list(query: ListQuery = {}): Promise<SessionPage> {
    if (query.text !== undefined) throw new Error(NEEDS_DATABASE);
    const found = (await this.#all()).filter((session) => isWanted(session, query));
    return { sessions: found.slice(0, query.limit ?? found.length), next: undefined };
  }

  async search(): Promise<SearchPage> {
    throw new Error(NEEDS_DATABASE);
  }

  async usage(): Promise<UsageReport> {
    throw new Error(NEEDS_DATABASE);
  }

  async resolve(reference: string, scope: SessionScope = {}): Promise<Resolution> {
    const all = (await this.#all()).filter((session) => isWanted(session, { agent: scope.agent }));
    if (reference === 'last') return oneOf(all.filter((one) => isWanted(one, scope)).slice(0, 1));
    const steps = [
      all.filter(({ id, agent }) => id === reference || `${agent}:${id}` === reference),
      all.filter(({ title }) => title === reference),
      reference.length < 4 ? [] : all.filter(({ id }) => id.startsWith(reference)),
    ];
    return oneOf(steps.find((found) => found.length > 0) ?? []);
  }

  async state(): Promise<CatalogueState> {
    return { sessions: (await this.#all()).length, isComplete: true, refreshedAt: Date.now() };
  }

  async close(): Promise<void> {
    this.#sessions = undefined;
  }

  #all(): Promise<CatalogueSession[]> {
    this.#sessions ??= collect();
    return this.#sessions;
  }
}

async function collect(): Promise<CatalogueSession[]> {
  const { findAgentSessions } = await import('@robota-sdk/agent-transcript/architectures');
  const found = listSessionSummaries().map(({ id, name, preview = '', cwd, ...summary }) =>
    toSession({
      ...{ type: 'robota', id, name, preview, cwd, path: '' },
      updatedAt: Date.parse(summary.updatedAt),
      messages: summary.messageCount ?? 0,
    }),
  );
  for await (const session of findAgentSessions()) {
    const { preview = '' } = session;
    found.push(toSession({ ...session, name: undefined, preview, messages: 0 }));
  }
  return found.sort((left, right) => right.updatedAt - left.updatedAt);
}

type KnownFacts = Pick<
  CatalogueSession,
  'type' | 'id' | 'name' | 'preview' | 'cwd' | 'path' | 'updatedAt' | 'messages'
>;

function toSession(facts: KnownFacts): CatalogueSession {
  const preview = neutraliseLine(facts.preview).trim();
  const title = facts.name === undefined ? preview || facts.id : neutraliseLine(facts.name);
  return {
    ...facts,
    preview,
    title,
    agent: toAgentName(facts.type),
    project: neutraliseLine(facts.cwd ?? ''),
    model: undefined,
    branch: undefined,
    createdAt: facts.updatedAt,
    costUsd: 0,
    unpriced: 0,
    forkOf: undefined,
    isLive: false,
    isPinned: false,
    isArchived: false,
  };
}

function isWanted(session: CatalogueSession, query: ListQuery): boolean {
  const { here, agent, project, since = 0, name = '' } = query;
  if (query.pinned === 'only' || (query.id ?? session.id) !== session.id) return false;
  if (here !== undefined && session.cwd !== here) return false;
  if (agent !== undefined && session.agent !== agent && session.type !== agent) return false;
  if (project !== undefined && !session.project.includes(project)) return false;
  return session.updatedAt >= since && session.title.toLowerCase().includes(name.toLowerCase());
}

function oneOf(found: readonly CatalogueSession[]): Resolution {
  const [session] = found;
  if (session === undefined) return { kind: 'none' };
  return found.length === 1 ? { kind: 'found', session } : { kind: 'ambiguous', candidates: found };
}
