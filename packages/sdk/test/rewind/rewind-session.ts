import { existsSync, lstatSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import { createAssistantMessage, type Provider } from '@robota-sdk/agent-core';
import { InteractiveSession, type InteractiveSessionOptions } from '@robota-sdk/agent-sdk';
import { SessionStore } from '@robota-sdk/agent-session';

/** What the model does in one turn: its tool calls, one after another. */
export type Work = readonly (
  | { readonly write: string; readonly content: string }
  | { readonly edit: string; readonly from: string; readonly to: string }
  | { readonly bash: string }
)[];

export interface RewindPlace {
  readonly project: string;
  readonly logDirectory: string;
  readonly store: SessionStore;
}

export function placeIn(root: string, project: string): RewindPlace {
  const logDirectory = join(root, 'logs');
  const store = new SessionStore(join(root, 'sessions'), { logDir: logDirectory });
  return { project, logDirectory, store };
}

/** A session whose model does what each prompt is given to do, with the real tools. */
export class WorkingSession {
  readonly session: InteractiveSession;
  #work: Work = [];
  #calls = 0;

  constructor(place: RewindPlace, options: Partial<InteractiveSessionOptions> = {}) {
    const given = {
      cwd: place.project,
      provider: this.#provider(),
      sessionStore: place.store,
      logDirectory: place.logDirectory,
      config: {},
      context: {},
      agents: [],
      confine: 'off',
      permissionMode: 'bypassPermissions',
      systemPrompt: 'You help.',
      ...options,
    };
    this.session = new InteractiveSession(given as InteractiveSessionOptions);
  }

  /** The block id of the prompt. */
  async ask(prompt: string, work: Work = []): Promise<string> {
    this.#work = work;
    const outcome = await this.session.submit(prompt);
    if (outcome.status !== 'completed') throw new Error(`The turn ended as ${outcome.status}.`);
    return this.prompts().at(-1)?.id ?? '';
  }

  prompts(): readonly { readonly id: string; readonly content: unknown }[] {
    return this.session.getBlocks().filter((block) => block.type === 'user_message');
  }

  said(): unknown[] {
    return this.prompts().map(({ content }) => content);
  }

  heard(): (string | null | undefined)[] {
    const { getHistory } = this.session.getSession();
    const history = getHistory.call(this.session.getSession());
    return history.filter(({ role }) => role === 'user').map(({ content }) => content as string);
  }

  #provider(): Provider {
    return {
      name: 'working',
      chat: async (messages) => {
        const text = JSON.stringify(messages.at(-1)?.content ?? '');
        if (text.includes('Summarize the conversation'))
          return createAssistantMessage('A summary.');
        const [next, ...rest] = this.#work;
        this.#work = rest;
        if (next === undefined) return createAssistantMessage('Done.');
        this.#calls += 1;
        const call = callOf(next);
        return createAssistantMessage('', {
          toolCalls: [
            {
              id: `call_${this.#calls}`,
              type: 'function',
              function: { name: call.name, arguments: JSON.stringify(call.arguments) },
            },
          ],
        });
      },
    };
  }
}

function callOf(work: Work[number]) {
  if ('write' in work) {
    return { name: 'Write', arguments: { filePath: work.write, content: work.content } };
  }
  if ('edit' in work) {
    const { edit, from, to } = work;
    return { name: 'Edit', arguments: { filePath: edit, oldString: from, newString: to } };
  }
  return { name: 'Bash', arguments: { command: work.bash } };
}

/** Every file below a folder: its text, or where a link leads, with its permissions. */
export function treeOf(folder: string, from = folder): Record<string, string> {
  const tree: Record<string, string> = {};
  if (!existsSync(folder)) return tree;
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    const name = path.slice(from.length + 1);
    if (entry.name === '.git') continue;
    if (entry.isDirectory()) Object.assign(tree, treeOf(path, from));
    else if (entry.isSymbolicLink()) tree[name] = `-> ${readlinkSync(path)}`;
    else {
      const mode = (lstatSync(path).mode & 0o777).toString(8);
      tree[name] = `${mode} ${readFileSync(path, 'latin1')}`;
    }
  }
  return tree;
}
