import type { Redirection, SyntaxNode } from 'unbash';
import { printsOnlyFiles } from './judge-find.ts';
import { judgeProgram } from './judge-program.ts';
import { judgeRedirects } from './judge-redirects.ts';
import { isProgram } from './judge-simple-command.ts';
import { judgeWord, plainValues, type WordContext } from './judge-word.ts';
import { refuse } from './refusal.ts';
import { quoteWord } from './shell-quote.ts';

type CommandNode = Extract<SyntaxNode, { type: 'Command' }>;

/** `find PATH -type f … -print0 | xargs -0 PROGRAM`: the only form in which every added word is a checked file. */
export function judgeXargs(
  node: CommandNode,
  before: SyntaxNode | undefined,
  context: WordContext,
): string {
  const words = wordsOf(node, context);
  const values = plainValues('xargs', words);
  if (!isProgram(before, 'find')) return refuse('xargs takes words from its input');
  const found = wordsOf(before, context);
  const starts = /^[\w./]/.test(found[0]?.values?.[0] ?? '');
  if (!starts || !printsOnlyFiles(found))
    return refuse('xargs needs names from find PLACE -type f -print0');
  if (node.prefix.some((each) => each.type === 'Assignment')) refuse('a variable is set for xargs');
  if (node.redirects.some(isInput)) refuse('xargs takes words from a file');
  if (!before.redirects.every(discardsErrors)) refuse('the output of find is redirected');
  const at = ownWords(values);
  const program = judgeProgram(values[at] ?? 'echo', words.slice(at + 1), {
    scope: context.scope,
    fed: true,
  });
  const own = values.slice(0, at).map(quoteWord);
  return ['xargs', ...own, program].join(' ') + judgeRedirects(node.redirects, context);
}

function isInput(redirect: Redirection): boolean {
  return redirect.type !== 'Redirect' || redirect.operator.startsWith('<');
}

/** Any other redirection may put messages among the names. */
function discardsErrors(redirect: Redirection): boolean {
  if (redirect.type !== 'Redirect' || redirect.target?.value !== '/dev/null') return false;
  const { descriptor, operator } = redirect;
  return operator === '>' && descriptor?.type === 'FileDescriptor' && descriptor.value === 2;
}

function wordsOf(node: CommandNode, context: WordContext) {
  return node.args.flatMap((arg) =>
    arg.type === 'Word'
      ? judgeWord(arg, context)
      : refuse('a word of xargs or find sets a variable'),
  );
}

/** How many words are options of xargs, `-0` among them. */
function ownWords(values: readonly string[]): number {
  let at = 0;
  let zero = false;
  for (; values[at]?.startsWith('-') === true; at++) {
    const value = values[at] ?? '';
    zero ||= /^(?:-0r?|-r0|--null)$/.test(value);
    if (/^-[nP]$/.test(value)) at++;
    else if (!/^(?:-0r?|-r0|--null|-r|--no-run-if-empty|-[nP]\d+)$/.test(value))
      refuse(`xargs ${value} is not in the grammar`);
  }
  return zero ? at : refuse('xargs without -0 splits names');
}
