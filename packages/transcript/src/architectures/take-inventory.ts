import { statSync } from 'node:fs';
import { homedir } from 'node:os';
import { type AgentRegistration, registeredAgents } from './agents.ts';
import type { FindOptions } from './find-agent-sessions.ts';
import type { FinderPlace } from './session-finder.ts';
import {
  createOriginMemory,
  type Inventory,
  type InventoryFailure,
  type OriginMemory,
  type TranscriptFamily,
} from './session-inventory.ts';

/** Options of `takeInventory`. */
export interface InventoryOptions extends FindOptions {
  /** Cache of earlier inventories; without it every head is read. */
  readonly memory?: OriginMemory | undefined;
}

/** Every session of every agent on this machine, ours included, with the files of each. */
export async function takeInventory(options: InventoryOptions = {}): Promise<Inventory> {
  const { home = homedir(), environment = process.env, memory = createOriginMemory() } = options;
  const families: TranscriptFamily[] = [];
  const watched = new Map<string, number>();
  const failures: InventoryFailure[] = [];
  for (const agent of registeredAgents()) {
    if (!isWanted(agent, options.agents)) continue;
    const own = agent.inventory?.take({ home, environment }, memory);
    for (const [path, time] of own?.watched ?? []) watched.set(path, time);
    failures.push(...(own?.failures ?? []));
    const found = own?.families ?? (await askFinder(agent, { home, environment }));
    for (const family of found) families.push(family);
  }
  return { families, watched, failures };
}

function isWanted({ type, name }: AgentRegistration, agents: FindOptions['agents']): boolean {
  return agents === undefined || agents.includes(type) || agents.includes(name);
}

async function askFinder(
  { finder, layout }: AgentRegistration,
  place: FinderPlace,
): Promise<TranscriptFamily[]> {
  const families: TranscriptFamily[] = [];
  for await (const { type, id, path, cwd, updatedAt } of finder?.find(place) ?? []) {
    const parts = await layout.findSubagentFiles(path);
    const stats = [path, ...parts.map((part) => part.path)].map((each) =>
      statSync(each, { throwIfNoEntry: false }),
    );
    const whole = await layout.openWhole?.(path)?.version();
    const stamps = stats.map((found) => `${found?.ino}/${found?.size}/${found?.mtimeMs}`);
    families.push({
      type,
      id,
      path,
      parts,
      version: [whole ?? '', ...stamps].join('\n'),
      updatedAt,
      bytes: stats.reduce((sum, found) => sum + (found?.size ?? 0), 0),
      cwd,
    });
  }
  return families;
}
