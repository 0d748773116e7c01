import type { ArithmeticWord, SyntaxNode, Word, WordPart } from 'unbash';

/** Why a piece of syntax may run text that cannot be seen as a command; undefined when it cannot. */
export function hiddenCode(node: SyntaxNode): string | undefined {
  if (node.type === 'Transform' && node.operand.value === 'P')
    return 'a value is expanded as a prompt';
  if (node.type === 'ParameterExpansion' && node.prefix === '!')
    return 'a variable is named by another';
  if (node.type === 'CommandExpansion' && !/[)}`]$/.test(node.text))
    return 'a substitution is not closed';
  return evaluatedAgain(node).some(holdsQuotedCode)
    ? 'it holds text that the shell may run'
    : undefined;
}

type Readable = Word | WordPart | ArithmeticWord;

/** Builtins that evaluate their words as variable names or arithmetic, and so run what stands in an index. */
const EVALUATING = new Set(
  'test [ let declare typeset local export readonly unset read mapfile wait getopts'.split(' '),
);

/** Words that the shell reads a second time, after the quotes are gone. */
function evaluatedAgain(node: SyntaxNode): readonly Readable[] {
  switch (node.type) {
    case 'Assignment':
      return [node.value, node.index].filter((each) => each?.type === 'Word');
    case 'ParameterExpansion':
      return node.index === undefined ? [] : [node.index];
    case 'TestUnary':
      return [node.operand];
    case 'TestBinary':
      return /^-[a-z]{2}$/.test(node.operator) ? [node.left, node.right] : [];
    case 'ArithmeticWord':
      return [node];
    case 'Command':
      return EVALUATING.has(node.name?.value ?? '')
        ? node.args.filter((arg) => arg.type === 'Word')
        : [];
    default:
      return [];
  }
}

/** Text that is quoted here and would run when it is read again. */
function holdsQuotedCode(node: Readable): boolean {
  if ('parts' in node && node.parts !== undefined) return node.parts.some(holdsQuotedCode);
  return 'value' in node && /\$\(|`/.test(node.value);
}
