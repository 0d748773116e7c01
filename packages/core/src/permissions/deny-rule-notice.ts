import type { PermissionLists } from './permission.ts';
import { parseRule, ruleNames } from './rule.ts';

const NOTICE =
  'Deny rules stop commands we can read. A script or interpreter can still do the same; only `sandbox: on` prevents it.';

/** What the author of a Bash deny rule should know; undefined without such a rule. */
export function denyRuleNotice({ deny = [] }: PermissionLists): string | undefined {
  const concerned = deny
    .map(parseRule)
    .some((rule) => rule.spec !== undefined && ruleNames(rule, 'Bash'));
  return concerned ? NOTICE : undefined;
}
