import { readSession } from '../../reading/session-reading.ts';
import type { Link } from '../link.ts';
import type { Tables } from '../tables.ts';
import type { CatalogueSource, SourceChanges } from './sources.ts';

/** Where agents store their sessions on a machine. */
export interface MachinePlace {
  readonly home: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/** Sessions of every agent on one machine, as their programs wrote them. */
export class MachineSource implements CatalogueSource {
  readonly turn: string;
  readonly #place: MachinePlace;
  readonly #link: Link;
  readonly #tables: Tables;

  constructor(place: MachinePlace & { readonly name: string }, link: Link, tables: Tables) {
    this.turn = `machine:${place.name}`;
    this.#place = place;
    this.#link = link;
    this.#tables = tables;
  }

  async look(): Promise<SourceChanges> {
    const { createOriginMemory, readFamily, takeInventory } = await import(
      '@robota-sdk/agent-transcript/architectures'
    );
    const { home, environment } = this.#place;
    const inventory = await takeInventory({ home, environment, memory: createOriginMemory() });
    const { families, failures = [] } = inventory;
    const unlisted = new Set<unknown>(failures.map(({ type }) => type));
    const known = await this.#link.query(
      `SELECT id, type, native_id, path, version FROM ${this.#tables.catalogueSession} WHERE source = $1 AND gone IS NULL`,
      [this.turn],
    );
    const versions = new Map(known.map((row) => [placeOf(row), String(row.version)]));
    const changed = families
      .filter((family) => versions.get(familyPlace(family)) !== family.version)
      .sort((one, other) => one.updatedAt - other.updatedAt)
      .map((family) => ({
        session: { ...family, source: this.turn },
        read: async () => readSession(await readFamily(family)),
      }));
    const places = new Set(families.map(familyPlace));
    const ids = new Set(families.map(({ type, id }) => `${type}\n${id}`));
    const files = new Set(
      families.flatMap(({ path, parts }) => [path, ...parts.map((one) => one.path)]),
    );
    const missing = known.filter((row) => !places.has(placeOf(row)) && !unlisted.has(row.type));
    const free = missing.filter(({ path }) => !files.has(String(path)));
    const isElsewhere = (row: (typeof known)[number]) => ids.has(`${row.type}\n${row.native_id}`);
    return {
      changed,
      gone: free.filter((row) => !isElsewhere(row)).map(({ id }) => Number(id)),
      moved: free.filter(isElsewhere).map(({ id }) => Number(id)),
      taken: missing.filter(({ path }) => files.has(String(path))).map(({ id }) => Number(id)),
    };
  }
}

function placeOf(row: Readonly<Record<string, unknown>>): string {
  return `${row.type}\n${row.native_id}\n${row.path}`;
}

function familyPlace({ type, id, path }: { type: string; id: string; path: string }): string {
  return `${type}\n${id}\n${path}`;
}
