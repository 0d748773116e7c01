import type { ExtensionContext } from '../assembly/session-extension.ts';
import type { CommandResult, SystemCommand } from '../commands/system-command.ts';
import { forgetRule, ownSettingsFiles } from '../config/remember-rule.ts';
import type { InteractiveSession } from '../interactive/interactive-session.ts';

/** A rule in force, and whether this command can remove it. */
interface ListedRule {
  readonly list: 'allow' | 'ask' | 'deny' | 'session';
  readonly rule: string;
  readonly layer: string;
  readonly isRemovable: boolean;
}

/** Shows the mode and every rule with its origin, and removes rules. */
export function permissionsCommand(context: ExtensionContext): SystemCommand {
  return {
    name: 'permissions',
    description: 'Show the permission rules, or remove one',
    execute(session, args) {
      const [, rule] = /^remove\s+(.+)$/s.exec(args) ?? [];
      if (rule !== undefined) return remove(context, session, rule.trim());
      if (args !== '') return refused('Usage: permissions [remove <rule>]');
      return list(context, session);
    },
  };
}

function list(context: ExtensionContext, session: InteractiveSession): CommandResult {
  const mode = session.getPermissionMode();
  const sessionAllowed = session.getSessionAllowedTools();
  const rules = rulesOf(context, sessionAllowed);
  const lines = rules.map(({ list: name, rule, layer }) => `${name.padEnd(8)}${rule}  (${layer})`);
  return {
    success: true,
    message: [`Permission mode: ${mode}`, ...lines].join('\n'),
    data: { mode, sessionAllowed, rules },
  };
}

function rulesOf(context: ExtensionContext, sessionAllowed: readonly string[]): ListedRule[] {
  const { permissions } = context.ready();
  const files = ownSettingsFiles(context.cwd).map(({ file }) => file);
  const fromSettings = (['allow', 'ask', 'deny'] as const).flatMap((name) =>
    (permissions[name] ?? []).map((rule) => {
      const layer = permissions.layers?.[rule] ?? 'settings';
      return { list: name, rule, layer, isRemovable: files.includes(layer) };
    }),
  );
  const granted = sessionAllowed.map((rule) => ({
    list: 'session' as const,
    rule,
    layer: 'allowed in this session',
    isRemovable: true,
  }));
  // Built-in rules are not the user's decisions.
  return [...granted, ...fromSettings].filter(({ layer }) => layer !== 'built in');
}

async function remove(
  context: ExtensionContext,
  session: InteractiveSession,
  rule: string,
): Promise<CommandResult> {
  const known = rulesOf(context, session.getSessionAllowedTools()).filter(
    (listed) => listed.rule === rule,
  );
  if (known.length === 0) return refused(`There is no rule ${rule}. /permissions shows all.`);
  if (!known.some(({ isRemovable }) => isRemovable)) {
    return refused(`${rule} comes from ${known[0]?.layer}; take it out there.`);
  }
  const { session: port, withdrawRule } = context.ready();
  const wasGranted = port.revokeSessionGrant?.(rule) === true;
  const files = await forgetRule(context.cwd, rule);
  if (files.length > 0) withdrawRule(rule);
  const places = [...(wasGranted ? ['this session'] : []), ...files];
  return {
    success: true,
    message: `${rule} was removed from ${places.join(', ')}.`,
    data: { files },
  };
}

function refused(message: string): CommandResult {
  return { success: false, message };
}
