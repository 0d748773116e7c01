import type { TestExpression } from 'unbash';
import { singleValue, type WordContext } from './judge-word.ts';
import { refuse } from './refusal.ts';
import { quoteWord } from './shell-quote.ts';
import { readablePaths } from './walk-path.ts';

/** `[[ -f path ]]` and `[[ -n text ]]`; other operators evaluate names or patterns. */
export function judgeTestExpression(expression: TestExpression, context: WordContext): string {
  if (expression.type !== 'TestUnary') return refuse('[[ ]] compares or evaluates');
  const { operator, operand } = expression;
  const value = singleValue(operand, context);
  if (FILE_TEST.test(operator)) readablePaths(value, context.scope);
  else if (!/^-[nz]$/.test(operator)) refuse(`[[ ${operator} ]] may evaluate its word`);
  return `[[ ${operator} ${quoteWord(value)} ]]`;
}

/** File tests without side effects. */
export const FILE_TEST = /^-[defhLrswxpSbcgku]$/;
