/** Below zero when `left` is older, above when newer: 9.0.0 < 10.0.0-rc.1 < 10.0.0. */
export function compareVersions(left: string, right: string): number {
  const [leftCore = '', leftPre] = split(left);
  const [rightCore = '', rightPre] = split(right);
  const byCore = compareParts(leftCore.split('.'), rightCore.split('.'));
  if (byCore !== 0) return byCore;
  if (leftPre === undefined || rightPre === undefined) {
    return Number(leftPre === undefined) - Number(rightPre === undefined);
  }
  return compareParts(leftPre.split('.'), rightPre.split('.'));
}

function split(version: string): string[] {
  const [core = '', ...pre] = version.trim().replace(/^v/i, '').replace(/\+.*$/, '').split('-');
  return pre.length === 0 ? [core] : [core, pre.join('-')];
}

function compareParts(left: readonly string[], right: readonly string[]): number {
  for (let index = 0; index < Math.max(left.length, right.length); index++) {
    const order = comparePart(left[index] ?? '0', right[index] ?? '0');
    if (order !== 0) return order;
  }
  return 0;
}

/** Numbers compare numerically and come before words. */
function comparePart(left: string, right: string): number {
  const isNumber = /^\d+$/;
  if (isNumber.test(left) && isNumber.test(right)) return Math.sign(Number(left) - Number(right));
  if (isNumber.test(left) !== isNumber.test(right)) return isNumber.test(left) ? -1 : 1;
  return left < right ? -1 : Number(left > right);
}
