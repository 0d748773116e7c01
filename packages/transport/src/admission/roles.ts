import type { RewindOptions } from '@robota-sdk/agent-sdk';
import { WireError } from '../live/wire-error.ts';

/** `read` views, `prompt` sends prompts, `approve` answers questions and relaxes rules, `admin` does everything else. */
export const ROLES = ['read', 'prompt', 'approve', 'admin'] as const;
/** A permission of a token. */
export type Role = (typeof ROLES)[number];

/** An authenticated caller and its roles. */
export interface Identity {
  /** Logged with every prompt and answer; undefined when no token is required. */
  readonly user: string | undefined;
  readonly roles: ReadonlySet<Role>;
  /** Id of the issued token; undefined for the server's own token. */
  readonly tokenId?: string | undefined;
}

export const EVERYBODY: Identity = { user: undefined, roles: new Set(ROLES) };

/** Callers with only the `read` role get secrets redacted. */
export function isReader({ roles }: Identity): boolean {
  return roles.size === 1 && roles.has('read');
}

export function assertRole(identity: Identity, role: Role): void {
  if (identity.roles.has(role)) return;
  const who = identity.user ?? 'This token';
  throw new WireError('forbidden', `${who} lacks the role "${role}" for this.`);
}

/**
 * Commands that need more than `prompt`. Changing the mode can relax rules; a shell line, an export, a note in a memory
 * file and a rewind change files without asking; a plugin and an MCP server run programs.
 */
const COMMAND_ROLES: Readonly<Record<string, Role>> = {
  mode: 'approve',
  permissions: 'approve',
  shell: 'approve',
  export: 'approve',
  memory: 'approve',
  rewind: 'approve',
  mcp: 'admin',
  plugin: 'admin',
  plugins: 'admin',
  reset: 'admin',
};

/** Commands that only show something when called with these arguments. */
const SHOWING: Readonly<Record<string, readonly string[]>> = {
  memory: [''],
  rewind: [''],
  mcp: ['', 'list'],
};

/** The role a command needs besides `prompt`. Commands that are not built in only send a prompt. */
export function roleOfCommand(name: string, args = ''): Role {
  if (!Object.hasOwn(COMMAND_ROLES, name)) return 'prompt';
  const shows = Object.hasOwn(SHOWING, name) && SHOWING[name]?.includes(args.trim());
  return shows ? 'prompt' : (COMMAND_ROLES[name] ?? 'prompt');
}

/** A rewind changes files without asking, so it needs the role that answers questions. */
export function roleOfRewind({ what = 'both' }: Pick<RewindOptions, 'what'>): Role {
  return what === 'conversation' ? 'prompt' : 'approve';
}
