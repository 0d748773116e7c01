import type { If, ParsedScript, Pipeline, Statement, SyntaxNode } from 'unbash';
import { parseCommand } from '../shell/analyze-command.ts';
import { judgeRedirects } from './judge-redirects.ts';
import { type CommandContext, judgeSimpleCommand } from './judge-simple-command.ts';
import { judgeTestExpression } from './judge-test-expression.ts';
import { type JudgeSubstitution, judgeWord, type WordContext } from './judge-word.ts';
import { judgeXargs } from './judge-xargs.ts';
import { ReadOnlyRefusal, refuse } from './refusal.ts';
import { JudgementScope, type NodePlace, type ReadPolicy } from './scope.ts';
import { quoteWord } from './shell-quote.ts';
import { steersPrograms } from './steering-variables.ts';

/** Whether a command may run without approval, and the text to run in its place. */
export type ReadOnlyJudgement =
  | {
      readonly kind: 'runs';
      /** Rendered from the checked syntax tree; the original text is never run. */
      readonly text: string;
      /** No rule was needed and nothing writes, so it can be confined. */
      readonly onlyReads: boolean;
    }
  | { readonly kind: 'asks'; readonly reason: string; readonly part?: string | undefined };

const MAX_LENGTH = 20_000;

/** Checks a command against the read-only grammar; anything else needs approval. */
export function judgeReadOnly(command: string, policy: ReadPolicy): ReadOnlyJudgement {
  if (command.length > MAX_LENGTH) return { kind: 'asks', reason: 'the command is too long' };
  if (/[\0\r\u0085\u2028\u2029]/.test(command))
    return { kind: 'asks', reason: 'it holds a control character' };
  const scope = new JudgementScope(policy, command);
  const failed: { part?: string } = {};
  try {
    const text = judgeParsed(parseCommand(command), scope, failed);
    const onlyReads = !scope.totals.covered && !scope.totals.writes;
    return { kind: 'runs', text: text === '' ? ':' : text, onlyReads };
  } catch (error) {
    // Stack overflow on deep nesting.
    if (error instanceof RangeError) return { kind: 'asks', reason: 'it is nested too deeply' };
    if (!(error instanceof ReadOnlyRefusal)) throw error;
    return { kind: 'asks', reason: error.message, part: failed.part };
  }
}

function judgeParsed(script: ParsedScript, scope: JudgementScope, failed: Failed): string {
  const [error] = script.errors ?? [];
  if (error !== undefined) refuse(`it cannot be understood: ${error.message}`);
  return new NodeJudge(scope, failed).list(script.commands, 'top');
}

/** The part that was refused, for the question. */
interface Failed {
  part?: string;
}

class NodeJudge {
  readonly #scope: JudgementScope;
  readonly #failed: Failed;
  readonly #words: WordContext;
  readonly #contexts = new Map<NodePlace, CommandContext>();

  constructor(scope: JudgementScope, failed: Failed) {
    this.#scope = scope;
    this.#failed = failed;
    this.#words = { scope, judgeSubstitution: this.#substitution };
  }

  list(statements: readonly Statement[], place: NodePlace): string {
    const texts = statements.map((statement) => {
      if (statement.background === true) refuse('it leaves a job in the background');
      return this.node(statement.command, place);
    });
    return texts.filter((text) => text !== '').join('\n');
  }

  node(node: SyntaxNode, place: NodePlace): string {
    this.#scope.countPart();
    switch (node.type) {
      case 'Command':
        return this.#command(node, place);
      case 'Pipeline':
        return this.#pipeline(node);
      case 'AndOr':
        return this.#chain(node, place);
      case 'BraceGroup':
        return `{ ${this.#body(node.body.commands, place === 'top' ? 'top' : 'inside')}\n}`;
      case 'Subshell': {
        const inner = new NodeJudge(this.#scope.inner(), this.#failed);
        return `( ${inner.#body(node.body.commands, 'top')}\n)`;
      }
      case 'If':
        return this.#condition(node);
      case 'For':
        return this.#loop(node);
      case 'TestCommand':
        return judgeTestExpression(node.expression, this.#words);
      case 'Redirected': {
        const redirects = judgeRedirects(node.redirects, this.#words);
        return this.node(node.command, place) + redirects;
      }
      default:
        this.#failed.part = this.#scope.source.slice(node.pos, node.end);
        return refuse(
          `${NODE_NAMES[node.type] ?? 'this piece'} is not in the grammar of commands that only look`,
        );
    }
  }

  #body(statements: readonly Statement[], place: NodePlace): string {
    return this.list(statements, place) || ':';
  }

  #command(node: Extract<SyntaxNode, { type: 'Command' }>, place: NodePlace): string {
    try {
      return judgeSimpleCommand(node, this.#contextAt(place));
    } catch (error) {
      if (error instanceof ReadOnlyRefusal)
        this.#failed.part ??= this.#scope.source.slice(node.pos, node.end);
      throw error;
    }
  }

  #contextAt(place: NodePlace): CommandContext {
    const known = this.#contexts.get(place);
    if (known !== undefined) return known;
    const { scope, judgeSubstitution } = this.#words;
    const context = { scope, judgeSubstitution, place, judgeText: this.#text };
    this.#contexts.set(place, context);
    return context;
  }

  /** `a && b`: a change of directory applies to the rest of the chain, and possibly to what follows the chain. */
  #chain(node: Extract<SyntaxNode, { type: 'AndOr' }>, place: NodePlace): string {
    const conjunction = node.operators.every((operator) => operator === '&&');
    const before = this.#scope.directories;
    const later: NodePlace = conjunction && place !== 'inside' ? 'chain' : 'inside';
    let leading = place === 'top';
    let changedDirectory = false;
    let text = '';
    node.commands.forEach((each, index) => {
      const here: NodePlace = leading ? 'top' : later;
      const started = this.#scope.directories;
      const judged = this.node(each, here) || ':';
      changedDirectory ||= here === 'chain' && this.#scope.directories !== started;
      leading &&= conjunction && each.type === 'Command' && staysCertain(each);
      text += index === 0 ? judged : ` ${node.operators[index - 1]} ${judged}`;
    });
    if (changedDirectory) {
      this.#scope.directories = [...new Set([...before, ...this.#scope.directories])];
    }
    return text;
  }

  #pipeline({ prefixes, commands, operators }: Pipeline): string {
    if (prefixes.length > 1 || prefixes.some((each) => each.type === 'Time' && each.posix))
      refuse('it is timed or negated in a way that is not in the grammar');
    const texts = commands.map((each, index) => {
      // `|&` would add the messages of `find` to the names.
      const isFed =
        operators[index - 1] === '|' && each.type === 'Command' && each.name?.value === 'xargs';
      return isFed ? judgeXargs(each, commands[index - 1], this.#words) : this.node(each, 'inside');
    });
    const before = prefixes.map((each) => (each.type === 'Negation' ? '! ' : 'time ')).join('');
    const piped = texts.map((text, index) =>
      index === 0 ? text : ` ${operators[index - 1]} ${text}`,
    );
    return before + piped.join('');
  }

  #condition(node: If): string {
    const branch = (word: string, part: { readonly commands: readonly Statement[] }) =>
      `${word} ${this.#body(part.commands, 'inside')}\n`;
    const others = node.elif.map((each) => branch('elif', each.clause) + branch('then', each.then));
    const otherwise = node.else === undefined ? '' : branch('else', node.else);
    return `${branch('if', node.clause)}${branch('then', node.then)}${others.join('')}${otherwise}fi`;
  }

  #loop(node: Extract<SyntaxNode, { type: 'For' }>): string {
    const name = node.name.value;
    if (node.wordlist === undefined || !/^[A-Za-z_]\w*$/.test(name))
      return refuse('the words of the loop are known only at run time');
    if (steersPrograms(name, this.#scope.policy.environment))
      refuse(`the loop sets ${name}, which programs read`);
    const words = node.wordlist.flatMap((word) => judgeWord(word, this.#words));
    const values = words.flatMap(
      (word) => word.values ?? refuse('a word of the loop is known only at run time'),
    );
    if (new Set(values).size > MAX_LOOP_WORDS) refuse('the loop has too many words');
    const renamed = this.#scope.freshName();
    const shadowed = this.#scope.variables.get(name);
    this.#scope.variables.set(name, { values: [...new Set(values)], renamed });
    const body = this.#body(node.body.commands, 'inside');
    if (shadowed === undefined) this.#scope.variables.delete(name);
    else this.#scope.variables.set(name, shadowed);
    return `for ${renamed} in ${values.map(quoteWord).join(' ')}\ndo ${body}\ndone`;
  }

  #substitution: JudgeSubstitution = (part, scope) => {
    if (part.script === undefined) return refuse('a substitution is not closed');
    const inner = scope.inner(part.script.source ?? scope.source);
    return judgeParsed(part.script, inner, this.#failed) || ':';
  };

  /** Text for a separate shell, such as that of `bash -c`. */
  #text = (text: string): string => {
    const inner = this.#scope.inner(text);
    inner.variables.clear();
    return judgeParsed(parseCommand(text), inner, this.#failed) || ':';
  };
}

const MAX_LOOP_WORDS = 200;

const NODE_NAMES: Readonly<Record<string, string>> = {
  While: 'a while loop',
  Case: 'a case',
  Function: 'a function',
  Select: 'a select',
  Coproc: 'a coprocess',
  ArithmeticCommand: 'arithmetic',
  ArithmeticFor: 'arithmetic',
};

/** Assignments always succeed, and an unconditional `cd` that fails ends the rendered command. */
function staysCertain(node: Extract<SyntaxNode, { type: 'Command' }>): boolean {
  return node.name === undefined || node.name.value === 'cd';
}
