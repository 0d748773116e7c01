import type { SyntaxNode } from 'unbash';

/** Why a piece of syntax may run text that it finds in a value; undefined when it cannot. */
export function evaluatingSyntax(node: SyntaxNode): string | undefined {
  switch (node.type) {
    case 'ArithmeticWord':
      return /^(?:\d+|0[xX][\da-fA-F]+)?$/.test(node.value)
        ? undefined
        : 'arithmetic evaluates names';
    case 'ArithmeticCommandExpansion':
      return 'arithmetic evaluates what a command prints';
    case 'TestUnary':
      return /^-[vR]$/.test(node.operator) ? `[[ ${node.operator} ]] evaluates a name` : undefined;
    case 'TestBinary':
      return /^-(?:eq|ne|lt|le|gt|ge)$/.test(node.operator)
        ? `[[ ${node.operator} ]] evaluates its words`
        : undefined;
    case 'ParameterExpansion':
      return evaluatingExpansion(node);
    case 'Assignment':
      return assignmentProblem(node);
    case 'For':
    case 'Select':
      return STEERS_SHELL.test(node.name.text) ? `it sets ${node.name.text}` : undefined;
    default:
      return undefined;
  }
}

function evaluatingExpansion(
  node: Extract<SyntaxNode, { type: 'ParameterExpansion' }>,
): string | undefined {
  const { index, prefix, operation } = node;
  if (prefix === '!') return 'a variable is named by another';
  if (index !== undefined && !isPlainIndex(index.text)) return 'an index is evaluated';
  if (operation?.type === 'Slice') {
    const ends = [operation.offset, operation.length].flatMap((each) => each?.text ?? []);
    return ends.every((text) => /^\s*\(?-?\d+\)?$/.test(text)) ? undefined : 'a slice is evaluated';
  }
  if (operation?.type === 'Transform')
    return /^[QULuEk]$/.test(operation.operand.value) ? undefined : 'a value is expanded once more';
  return operation?.type === 'Unknown' ? 'an expansion is not known' : undefined;
}

function isPlainIndex(text: string): boolean {
  return /^(?:[@*]|-?\d+|["']?[A-Za-z][\w.-]*["']?)$/.test(text) && !/^[A-Za-z_]\w*$/.test(text);
}

/** Variables whose value a shell, the loader or git runs, or by which they find what they run. */
const STEERS_SHELL =
  /^(?:PS4|BASH_ENV|ENV|PROMPT_COMMAND|BASH_CMDS|BASH_ALIASES|SHELLOPTS|BASHOPTS|PATH|LD_\w+|DYLD_\w+|GIT_CONFIG\w*|GIT_EXEC_PATH|GIT_\w*(?:COMMAND|EDITOR|PAGER|ASKPASS|DIFF|SSH))$/;

function assignmentProblem(node: Extract<SyntaxNode, { type: 'Assignment' }>): string | undefined {
  if (STEERS_SHELL.test(node.name)) return `it sets ${node.name}`;
  if (node.index !== undefined && !isPlainIndex(node.index.text)) return 'an index is evaluated';
  return undefined;
}
