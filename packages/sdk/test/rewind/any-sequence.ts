import { mkdirSync, mkdtempSync, realpathSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { FileVersion } from '@robota-sdk/agent-core/log';
import type { ConflictChoice, RewindScope } from '@robota-sdk/agent-sdk';
import { snapshotFolders } from '@robota-sdk/agent-session';
import { FileTracker, swapFiles } from '@robota-sdk/agent-tools';
import fc from 'fast-check';
import { expect } from 'vitest';
import { FilesModel } from './files-model.ts';
import { placeIn, type RewindPlace, treeOf, type Work, WorkingSession } from './rewind-session.ts';

const PATHS = ['a.txt', 'b.txt', 'deep/er/c.txt'] as const;
type Path = (typeof PATHS)[number];
type Deed = { readonly path: Path; readonly how: 'write' | 'shell' | 'delete' | 'rename' };

/** What can happen to a session and its directory. */
export type Step =
  | { readonly kind: 'turn'; readonly deeds: readonly Deed[] }
  | { readonly kind: 'person'; readonly deed: Deed }
  | {
      readonly kind: 'rewind';
      readonly back: number;
      readonly what: RewindScope;
      readonly conflicts: ConflictChoice;
    }
  | { readonly kind: 'killed in a tool'; readonly path: Path }
  | { readonly kind: 'killed in a rewind'; readonly path: Path }
  | { readonly kind: 'undo' | 'fork' | 'reopen' };

const path = fc.constantFrom(...PATHS);
const deed: fc.Arbitrary<Deed> = fc.record({
  path,
  how: fc.constantFrom('write', 'write', 'shell', 'delete', 'rename'),
});

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant('turn' as const),
      deeds: fc.array(deed, { maxLength: 3 }),
    }),
  },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('person' as const), deed }) },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('rewind' as const),
      back: fc.nat({ max: 5 }),
      what: fc.constantFrom<RewindScope>('conversation', 'files', 'both'),
      conflicts: fc.constantFrom<ConflictChoice>('refuse', 'keep', 'overwrite'),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constantFrom('undo' as const, 'fork' as const, 'reopen' as const),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constantFrom('killed in a tool' as const, 'killed in a rewind' as const),
      path,
    }),
  },
);

export const steps = fc.array(step, { minLength: 1, maxLength: 9 });

/** What a careless program might do; each has to be noticed. */
export type Plant = 'overwrites without asking' | 'does not undo' | 'forgets what a crash cut off';

/** Takes steps with real tools on real files, and compares the directory with what it should be after each. */
export class AnySequence {
  readonly #root = realpathSync(mkdtempSync(join(tmpdir(), 'robota-rewind-')));
  readonly #project = join(this.#root, 'project');
  readonly #place: RewindPlace = placeIn(this.#root, this.#project);
  readonly #model = new FilesModel();
  readonly #plant: Plant | undefined;
  #working: WorkingSession;
  #written = 0;

  constructor(plant?: Plant) {
    this.#plant = plant;
    mkdirSync(this.#project);
    this.#working = new WorkingSession(this.#place);
  }

  async take(taken: Step): Promise<void> {
    switch (taken.kind) {
      case 'turn':
        return this.#turn(taken.deeds);
      case 'person':
        return this.#person(taken.deed);
      case 'rewind':
        return this.#rewind(taken);
      case 'undo':
        return this.#undo();
      case 'fork':
        return this.#fork();
      case 'reopen':
        return this.#reopen();
      case 'killed in a tool':
        return this.#killInTool(taken.path);
      case 'killed in a rewind':
        return this.#killInRewind(taken.path);
    }
  }

  async check(after: Step): Promise<void> {
    await this.#working.session.whenReady();
    expect(treeOf(this.#project), `files after ${after.kind}`).toEqual(this.#model.tree());
    expect(
      this.#working.prompts().map(({ id }) => id),
      `prompts after ${after.kind}`,
    ).toEqual(this.#model.prompts());
    expect(this.#working.heard(), `what the model is sent after ${after.kind}`).toEqual(
      this.#model.texts(),
    );
  }

  async close(): Promise<void> {
    await this.#working.session.shutdown();
    rmSync(this.#root, { recursive: true, force: true });
  }

  async #turn(deeds: readonly Deed[]): Promise<void> {
    const work: Work[number][] = [];
    const changes: [string, string | null][] = [];
    for (const { path: given, how } of deeds) {
      const content = this.#fresh();
      if (how === 'write') work.push({ write: given, content });
      else if (how === 'shell')
        work.push({ bash: `mkdir -p ${dirname(given)}; printf '${content}' > ${given}` });
      else if (how === 'delete') work.push({ bash: `rm -f ${given}` });
      else work.push({ bash: `test -e ${given} && mv ${given} ${given}.moved || true` });
      changes.push([given, content]);
    }
    const text = `Prompt ${this.#fresh()}`;
    const id = await this.#working.ask(text, work);
    this.#model.prompt(id, text);
    deeds.forEach(({ path: given, how }, index) => {
      const [, content = null] = changes[index] ?? [];
      if (how === 'write' || how === 'shell') this.#model.agent(given, content);
      else if (how === 'delete') this.#model.agent(given, null);
      else this.#model.agentMoves(given, `${given}.moved`);
    });
  }

  #person({ path: given, how }: Deed): void {
    const file = join(this.#project, given);
    if (how === 'delete' || how === 'rename') {
      rmSync(file, { force: true });
      this.#model.person(given, null);
      return;
    }
    const content = this.#fresh();
    mkdirSync(dirname(file), { recursive: true });
    // As editors do: a new file takes the place of the old one.
    writeFileSync(`${file}~`, content);
    renameSync(`${file}~`, file);
    this.#model.person(given, content);
  }

  async #rewind(taken: Extract<Step, { kind: 'rewind' }>): Promise<void> {
    const prompts = this.#model.prompts();
    const to = prompts.at(-1 - (taken.back % Math.max(1, prompts.length)));
    if (to === undefined) return;
    const { what } = taken;
    const isCareless = this.#plant === 'overwrites without asking';
    const conflicts = isCareless ? 'overwrite' : taken.conflicts;
    const expected = this.#model.rewind(to, what, taken.conflicts);
    const done = this.#working.session.rewind({ to, what, conflicts });
    if (expected === 'refused')
      await expect(done).rejects.toMatchObject({ code: 'rewind_conflict' });
    else expect((await done).kept.toSorted()).toEqual(expected);
  }

  async #undo(): Promise<void> {
    const canUndo = this.#model.undo();
    if (this.#plant === 'does not undo') return;
    const done = this.#working.session.undoRewind({ conflicts: 'keep' });
    if (canUndo) await done;
    else await expect(done).rejects.toMatchObject({ code: 'nothing_to_undo' });
  }

  async #fork(): Promise<void> {
    await this.#working.session.whenReady();
    const { sessionId } = this.#working.session;
    await this.#working.session.shutdown();
    if (!this.#model.isKept()) {
      this.#working = new WorkingSession(this.#place);
      return;
    }
    const fork = { resumeSessionId: sessionId, forkSession: true };
    this.#working = new WorkingSession(this.#place, fork);
    await this.#working.session.whenReady();
    this.#model.fork();
  }

  async #reopen(): Promise<void> {
    const { sessionId } = this.#working.session;
    await this.#working.session.shutdown();
    const options = this.#model.isKept() ? { resumeSessionId: sessionId } : {};
    this.#working = new WorkingSession(this.#place, options);
    await this.#working.session.whenReady();
  }

  /** The program ends after a tool wrote and before anybody noted that. */
  async #killInTool(given: Path): Promise<void> {
    if (!this.#model.isKept()) return;
    await this.#working.session.whenReady();
    const target = join(this.#project, given);
    const { session, tree } = this.#folders();
    const tracker = new FileTracker({ folder: session, cacheFolder: tree, root: this.#project });
    await tracker.begin([{ kind: 'write', target }]);
    const content = this.#fresh();
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(target, content);
    if (this.#plant === 'forgets what a crash cut off') rmSync(join(session, 'pending.json'));
    this.#model.unknown(given, content);
    await this.#reopen();
  }

  /** The program ends when files are swapped and the log does not say so yet. */
  async #killInRewind(given: Path): Promise<void> {
    if (!this.#model.isKept()) return;
    await this.#working.session.whenReady();
    const target = join(this.#project, given);
    const { session, tree } = this.#folders();
    const tracker = new FileTracker({ folder: session, cacheFolder: tree, root: this.#project });
    const from: FileVersion = tracker.look([target]).get(target) ?? null;
    const { objects } = tracker;
    const to = `file:644:${objects.put(Buffer.from(this.#fresh()))}`;
    mkdirSync(session, { recursive: true });
    await swapFiles([{ path: target, from, to }], {
      objects,
      journal: join(session, 'swap.json'),
      id: 'never-logged',
    });
    await this.#reopen();
  }

  #folders() {
    const { logDirectory } = this.#place;
    return snapshotFolders(logDirectory, this.#working.session.sessionId, this.#project);
  }

  #fresh(): string {
    this.#written += 1;
    return `text-${this.#written}`;
  }
}
