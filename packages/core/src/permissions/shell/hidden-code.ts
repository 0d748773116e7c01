import type { ArithmeticWord, SyntaxNode, Word, WordPart } from 'unbash';

/** Why a syntax node may run text that does not parse as a command; undefined when it cannot. */
export function hiddenCode(node: SyntaxNode): string | undefined {
  if (node.type === 'Transform' && node.operand.value === 'P')
    return 'a value is expanded as a prompt';
  if (node.type === 'ParameterExpansion' && node.prefix === '!')
    return 'a variable is named by another';
  if (node.type === 'CommandExpansion' && !/[)}`]$/.test(node.text))
    return 'a substitution is not closed';
  if (readsQuotesAsText(node)) return 'quotes inside an expansion are text here';
  if (holdsOperator(node)) return 'a word holds an operator of the shell';
  if (node.type === 'Word' && holds(SUBSTITUTION, node)) return 'a word holds a substitution';
  return evaluatedAgain(node).some(holdsQuotedCode)
    ? 'it holds text that the shell may run'
    : undefined;
}

/**
 * Inside an expansion in a here-document `'…'` does not quote, and `$'…'` does not between double quotes either: what
 * looks quoted is run.
 */
function readsQuotesAsText(node: SyntaxNode): boolean {
  if (node.type === 'HereDocBody')
    return expansionsIn(node.parts).some((text) => text.includes("'"));
  return (
    node.type === 'DoubleQuoted' && expansionsIn(node.parts).some((text) => text.includes("$'"))
  );
}

function expansionsIn(parts: readonly WordPart[] | undefined): readonly string[] {
  return (parts ?? []).flatMap((part) =>
    part.type === 'ParameterExpansion' || part.type === 'ArithmeticExpansion' ? [part.text] : [],
  );
}

/** Whether a word in a place where bash ends it at an operator holds one. */
function holdsOperator(node: SyntaxNode): boolean {
  switch (node.type) {
    case 'Command':
      return (
        (node.name !== undefined && holds(OPERATOR, node.name)) ||
        node.args.some((arg) => arg.type === 'Word' && holds(OPERATOR, arg))
      );
    case 'Redirect':
    case 'HereString':
      return node.target !== undefined && holds(OPERATOR, node.target);
    case 'Assignment':
      return node.value.type === 'Word' && holds(OPERATOR, node.value);
    case 'For':
    case 'Select':
      return node.wordlist?.some((word) => holds(OPERATOR, word)) === true;
    default:
      return false;
  }
}

const OPERATOR = /[<>()|&;`'"\n]|\$[({['"\w]/;
/** What starts a program in any word, also where operators are text, as in a pattern. */
const SUBSTITUTION = /[<>$]\(|`/;

/** Unquoted text with such a mark was not read as bash reads it: `1<(text)` starts the text. */
function holds(mark: RegExp, { text, parts }: Word): boolean {
  // Most words hold none, quoted or not.
  if (!mark.test(text)) return false;
  const literals = parts?.flatMap((part) => (part.type === 'Literal' ? [part.text] : [])) ?? [text];
  return literals.some((each) => mark.test(each.replaceAll(/\\[\s\S]/g, '')));
}

type Readable = Word | WordPart | ArithmeticWord;

/** Builtins that evaluate their words as variable names or arithmetic, and so run code in an index. */
const EVALUATING = new Set(
  'test [ let declare typeset local export readonly unset read mapfile wait getopts'.split(' '),
);

/** Words that the shell evaluates again after quote removal. */
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

/** Quoted text that would run when it is evaluated again. */
function holdsQuotedCode(node: Readable): boolean {
  if ('parts' in node && node.parts !== undefined) return node.parts.some(holdsQuotedCode);
  return 'value' in node && /\$\(|`/.test(node.value);
}
