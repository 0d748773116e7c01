import { ROLES, type Role, TokenBook } from '@robota-sdk/agent-transport/run';
import { readFlags } from '../arguments/read-flags.ts';
import { EXIT } from '../exit-code.ts';
import { jsonText, type Output } from '../output.ts';
import { UsageError } from '../usage-error.ts';
import { timeAgo } from './sessions/time-ago.ts';

const FLAGS = {
  role: { type: 'string', multiple: true },
  json: { type: 'boolean' },
  debug: { type: 'boolean' },
} as const;

/** `robota token new|list|revoke`: manages access tokens and their roles. */
export async function runToken(args: readonly string[], output: Output): Promise<number> {
  const { values, positionals } = readFlags(args, FLAGS);
  const [verb = 'list', word, ...more] = positionals;
  const book = new TokenBook();
  if (verb === 'new' && word !== undefined && more.length === 0) {
    return create(book, { user: word, roles: rolesOf(values.role), isJson: values.json }, output);
  }
  if (verb === 'list' && word === undefined) return list(book, values.json === true, output);
  if (verb === 'revoke' && word !== undefined && more.length === 0) {
    return revoke(book, word, output);
  }
  throw new UsageError(
    'Usage: robota token new <user> [--role read|prompt|approve|admin]... | list | revoke <id>',
  );
}

interface NewToken {
  readonly user: string;
  readonly roles: readonly Role[];
  readonly isJson: boolean | undefined;
}

function create(book: TokenBook, { user, roles, isJson }: NewToken, output: Output): number {
  if (!/^[\w.@-]{1,64}$/.test(user)) {
    throw new UsageError('A user name has letters, digits, ".", "_", "@" and "-", at most 64.');
  }
  const made = book.create(user, roles);
  if (isJson) output.writeLine(jsonText(made, 0));
  else {
    output.writeLine(made.token);
    output.note(
      `For ${user}: ${made.roles.join(', ')}. Shown only once. Revoke it with robota token revoke ${made.id}.`,
    );
  }
  return EXIT.done;
}

function list(book: TokenBook, isJson: boolean, output: Output): number {
  const tokens = book.list();
  if (isJson) output.writeLine(jsonText(tokens, 0));
  else if (tokens.length === 0)
    output.note('No user tokens. Create one with robota token new <user>.');
  for (const { id, user, roles, createdAt } of isJson ? [] : tokens) {
    output.writeLine(`${id}  ${user}  ${roles.join(',')}  ${timeAgo(Date.parse(createdAt))}`);
  }
  return EXIT.done;
}

function revoke(book: TokenBook, id: string, output: Output): number {
  if (book.revoke(id)) {
    output.writeLine(`${id} opens nothing any more.`);
    return EXIT.done;
  }
  output.note(`There is no token ${id}. Run robota token list to see them.`);
  return EXIT.failed;
}

/** By default a token may read and prompt, but not approve. */
function rolesOf(given: readonly string[] | undefined): readonly Role[] {
  const names = (given ?? ['read', 'prompt']).flatMap((text) => text.split(','));
  return names.map((name) => {
    const role = ROLES.find((one) => one === name.trim());
    if (role) return role;
    throw new UsageError(`Invalid --role "${name}". Valid: ${ROLES.join(' | ')}`);
  });
}
