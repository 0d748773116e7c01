import { createHash } from 'node:crypto';
import type { FileChange, Rewind } from '@robota-sdk/agent-core/log';
import type { RestoreFiles } from '@robota-sdk/agent-session';
import type { SessionLifecycle } from '../interactive/session-lifecycle.ts';
import { notSupported } from '../live/session-capabilities.ts';
import type { PlannedFile } from './plan-files.ts';
import {
  outdatedPreviewError,
  type RewindOptions,
  type RewindPreview,
  type RewindResult,
  type UndoRewindOptions,
} from './rewind.ts';

/** Rewinds a session, and undoes rewinds. Rejects with `session_busy` while a turn runs. */
export class SessionRewind {
  readonly #lifecycle: SessionLifecycle;

  constructor(lifecycle: SessionLifecycle) {
    this.#lifecycle = lifecycle;
  }

  /** What a rewind would do; changes nothing. */
  async preview(to: string): Promise<RewindPreview> {
    await this.#engine();
    const { files } = this.#lifecycle.assembled ?? {};
    const plan = files?.planRewind(this.#changesSince(to)) ?? [];
    const notKept = 'what tools did to files: this session keeps no copies of them';
    return {
      to,
      prompt: this.#promptText(to),
      files: plan.map((file) => files?.describe(file, { diff: true })).filter(isDefined),
      notCovered: files ? this.#notCoveredSince(to) : [notKept],
      seen: digestPlan(plan),
    };
  }

  async rewind(options: RewindOptions): Promise<RewindResult> {
    const { to, what = 'both', conflicts = 'refuse', seen } = options;
    const engine = await this.#engine();
    const prompt = this.#promptText(to);
    const { files } = this.#lifecycle.assembled ?? {};
    if (!files && what !== 'conversation') {
      throw notSupported('nothing that is kept', 'take back what happened to files');
    }
    let plan: PlannedFile[] = [];
    const restore: RestoreFiles | undefined =
      files &&
      (async (id) => {
        plan = files.planRewind(this.#changesSince(to));
        if (seen !== undefined && seen !== digestPlan(plan)) throw outdatedPreviewError();
        return files.restore(files.chosen(plan, conflicts), { id });
      });
    const rewind = await engine.rewind({ to, what, restore });
    return this.#result(rewind, prompt, plan);
  }

  async undo({ conflicts = 'refuse' }: UndoRewindOptions = {}): Promise<RewindResult> {
    const engine = await this.#engine();
    const { files } = this.#lifecycle.assembled ?? {};
    let plan: PlannedFile[] = [];
    const restore: RestoreFiles | undefined =
      files &&
      (async (id) => {
        const undoes = this.#lifecycle.fold.state.rewinds.at(-1)?.files ?? [];
        plan = files.planUndo(undoes);
        return files.restore(files.chosen(plan, conflicts), { id, undoes });
      });
    const rewind = await engine.undoRewind(restore);
    return this.#result(rewind, '', plan);
  }

  /** Resolves with the number of restored messages. */
  async uncompact(): Promise<number> {
    const engine = await this.#engine();
    return engine.uncompact();
  }

  /** Facts that survive every compaction. */
  readonly pins = {
    list: (): readonly string[] => this.#lifecycle.fold.state.pins,
    add: async (text: string): Promise<void> => (await this.#engine()).pin(text),
    remove: async (text: string): Promise<void> => (await this.#engine()).unpin(text),
  };

  async #engine() {
    await this.#lifecycle.start();
    const { engine } = this.#lifecycle;
    if (!engine) throw notSupported('a ready-made engine', 'go back');
    return engine;
  }

  #changesSince(to: string): readonly FileChange[] {
    const { prompts, files } = this.#lifecycle.fold.state;
    // Records of earlier versions have no file positions.
    return files.slice(prompts.find(({ id }) => id === to)?.files ?? 0);
  }

  #notCoveredSince(to: string): string[] {
    const { prompts, notCovered } = this.#lifecycle.fold.state;
    const since = prompts.find(({ id }) => id === to)?.files ?? 0;
    return [...new Set(notCovered.filter(({ files }) => files >= since).map(({ what }) => what))];
  }

  /** What was typed; throws `unknown_prompt`. */
  #promptText(to: string): string {
    const { blocks, fold } = this.#lifecycle;
    const block = blocks.state.blocks.find(({ id }) => id === to);
    const isPrompt = fold.state.prompts.some(({ id }) => id === to);
    if (block?.type !== 'user_message' || !isPrompt) throw unknownPrompt(to);
    const { content } = block;
    if (typeof content === 'string') return content;
    return content.map((part) => (part.type === 'text' ? part.text : '')).join('');
  }

  #result({ to, what, files }: Rewind, prompt: string, plan: readonly PlannedFile[]): RewindResult {
    const { files: session } = this.#lifecycle.assembled ?? {};
    const describe = (file: PlannedFile) =>
      session?.describe(file) ?? { path: file.path, change: 'restore' as const };
    const swapped = new Set(files.map(({ path }) => path));
    const done = plan.filter(({ path }) => swapped.has(path)).map(describe);
    const kept = plan.filter(({ path }) => !swapped.has(path)).map((file) => describe(file).path);
    return { to, what, prompt, files: done.map(({ path, change }) => ({ path, change })), kept };
  }
}

function isDefined<Value>(value: Value | undefined): value is Value {
  return value !== undefined;
}

function unknownPrompt(to: string): Error {
  const message = `There is no prompt ${to} in this conversation. Choose one of its user messages.`;
  return Object.assign(new Error(message), { code: 'unknown_prompt' });
}

/** Equal for the same plan over the same file versions. */
function digestPlan(plan: readonly PlannedFile[]): string {
  const facts = plan.map(({ path, from, to, conflict }) => [path, from, to, conflict ?? '']);
  return createHash('sha256').update(JSON.stringify(facts)).digest('base64url').slice(0, 22);
}
