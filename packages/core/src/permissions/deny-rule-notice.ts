import type { PermissionLists } from './permission.ts';
import { parseRule, ruleNames } from './rule.ts';

const NOTICE =
  'Deny rules stop commands we can read. A script or interpreter can still do the same; only `sandbox: on` prevents it.';

/** What a person who wrote a deny rule for Bash has to know; undefined without one. */
export function denyRuleNotice({ deny = [] }: PermissionLists): string | undefined {
  const concerned = deny
    .map(parseRule)
    .some((rule) => rule.spec !== undefined && ruleNames(rule, 'Bash'));
  return concerned ? NOTICE : undefined;
}
