import { WireError } from '../live/wire-error.ts';

/** `read` looks, `prompt` asks, `approve` answers questions and loosens rules, `admin` does everything else. */
export const ROLES = ['read', 'prompt', 'approve', 'admin'] as const;
/** What a token lets somebody do. */
export type Role = (typeof ROLES)[number];

/** Who somebody is and what they may do. */
export interface Identity {
  /** Stands in the log beside every prompt and answer; undefined where everybody is let in. */
  readonly user: string | undefined;
  readonly roles: ReadonlySet<Role>;
  /** The token that was shown, where it is one of several. */
  readonly tokenId?: string | undefined;
}

export const EVERYBODY: Identity = { user: undefined, roles: new Set(ROLES) };

/** Who may do nothing but look is shown no secrets. */
export function isReader({ roles }: Identity): boolean {
  return roles.size === 1 && roles.has('read');
}

export function assertRole(identity: Identity, role: Role): void {
  if (identity.roles.has(role)) return;
  const who = identity.user ?? 'This token';
  throw new WireError('forbidden', `${who} lacks the role "${role}" for this.`);
}

/** Changing a mode loosens rules; a plugin is code. */
const COMMAND_ROLES: Readonly<Record<string, Role>> = {
  mode: 'approve',
  permissions: 'approve',
  plugin: 'admin',
  plugins: 'admin',
  reset: 'admin',
};

export function roleOfCommand(name: string): Role {
  return Object.hasOwn(COMMAND_ROLES, name) ? (COMMAND_ROLES[name] ?? 'prompt') : 'prompt';
}
