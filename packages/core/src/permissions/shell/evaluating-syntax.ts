import type { SyntaxNode } from 'unbash';

/** Why a syntax node may run text from a value; undefined when it cannot. */
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
      return STEERS_SHELL.test(node.name.text) || isNumberVariable(node.name.text)
        ? `it sets ${node.name.text}`
        : undefined;
    case 'Redirect':
      return expandsTwice(node) ? 'the word after >& is expanded twice' : undefined;
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

/** `>&'$(text)'` runs the text, although it is quoted: bash expands a word that is no number once more. */
function expandsTwice({ operator, target }: Extract<SyntaxNode, { type: 'Redirect' }>): boolean {
  return operator.endsWith('&') && !/^[\w./-]+$/.test(target?.text ?? '');
}

/** Variables to which the shell assigns only numbers: it evaluates any other value as arithmetic, and so runs an index in it. */
export function isNumberVariable(name: string): boolean {
  return /^(?:S?RANDOM|SECONDS|HISTCMD|OPTIND|LINENO|BASHPID|EPOCH\w+)$/.test(name);
}

/** `PAGER=x`, `GIT_SSH_COMMAND=x` and similar name programs that other programs start. */
export const PROGRAM_VARIABLE =
  /(?:PAGER|EDITOR|VISUAL|COMMAND|BROWSER|ASKPASS|_DIFF|SHELL|_RSH|LESSOPEN|LESSCLOSE)$/;

/** Variables whose value a shell, the loader, git or an archiver runs, or uses to find programs. */
const STEERS_SHELL =
  /^(?:PS4|BASH_ENV|ENV|PROMPT_COMMAND|BASH_CMDS|BASH_ALIASES|BASH_FUNC_.*|SHELLOPTS|BASHOPTS|PATH|LD_\w+|DYLD_\w+|TAR_OPTIONS|ZIPOPT|GIT_CONFIG\w*|GIT_EXEC_PATH|GIT_\w*(?:COMMAND|EDITOR|PAGER|ASKPASS|DIFF|SSH))$/;

export function steersShell(name: string): boolean {
  return STEERS_SHELL.test(name);
}

function assignmentProblem(node: Extract<SyntaxNode, { type: 'Assignment' }>): string | undefined {
  if (STEERS_SHELL.test(node.name)) return `it sets ${node.name}`;
  const isNumber = node.value.type === 'Word' && /^\d*$/.test(node.value.text);
  if (isNumberVariable(node.name) && !isNumber) return `the value of ${node.name} is evaluated`;
  if (node.index !== undefined && !isPlainIndex(node.index.text)) return 'an index is evaluated';
  return undefined;
}
