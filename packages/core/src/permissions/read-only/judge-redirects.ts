import path from 'node:path';
import type { HereDoc, Redirect, RedirectDescriptor, Redirection } from 'unbash';
import { entryStatus, isPipeOrDevice } from '../paths/file-status.ts';
import { singleValue, type WordContext } from './judge-word.ts';
import { refuse } from './refusal.ts';
import { quoteWord } from './shell-quote.ts';
import { readablePaths, walkPath } from './walk-path.ts';

/** Renders redirections: from readable files, to /dev/null or to another stream. */
export function judgeRedirects(redirects: readonly Redirection[], context: WordContext): string {
  return redirects.map((each) => ` ${judgeRedirect(each, context)}`).join('');
}

function judgeRedirect(redirect: Redirection, context: WordContext): string {
  const stream = streamOf(redirect.descriptor);
  if (redirect.type === 'Redirect') return judgeFile(redirect, stream, context);
  if (stream !== '' && stream !== '0') refuse('text is given to another stream than the input');
  if (redirect.type === 'HereString')
    return `<<< ${quoteWord(singleValue(redirect.target, context))}`;
  return judgeHereDocument(redirect);
}

function streamOf(descriptor: RedirectDescriptor | undefined): string {
  if (descriptor === undefined) return '';
  if (descriptor.type === 'FileDescriptor' && descriptor.value <= 2)
    return String(descriptor.value);
  return refuse('it opens a stream of its own');
}

function judgeHereDocument({ operator, delimiter, body }: HereDoc): string {
  const expands = delimiter?.quoted !== true && /[\\$`]/.test(body.text);
  if (expands) refuse('the text after << is expanded');
  const text = operator === '<<-' ? body.text.replaceAll(/^\t+/gm, '') : body.text;
  return text === '' ? '< /dev/null' : `<<< ${quoteWord(text.replace(/\n$/, ''))}`;
}

function judgeFile({ operator, target }: Redirect, stream: string, context: WordContext): string {
  const file = singleValue(target, context);
  if (/^[<>]&$/.test(operator) && /^[12]$/.test(file)) return `${stream}>&${file}`;
  // The shell opens connections for some of these names.
  if (file.startsWith('/dev/') && file !== '/dev/null') refuse(`it opens ${file}`);
  if (operator === '<') {
    if (file !== '/dev/null') readablePaths(file, context.scope);
    return `${stream}< ${quoteWord(file)}`;
  }
  if (operator === '<>' || operator === '<&') return refuse(`it opens ${file}`);
  if (file !== '/dev/null') judgeWriting(file, context);
  const both = operator === '>&' ? '&>' : operator;
  return `${both.startsWith('&') ? '' : stream}${both} ${quoteWord(file)}`;
}

function judgeWriting(file: string, { scope }: WordContext): void {
  const writable = scope.directories.every((directory) => {
    const { real } = walkPath(file.startsWith('/') ? '/' : directory, file);
    const status = entryStatus(real);
    if (status !== undefined && isPipeOrDevice(status)) return false;
    return scope.policy.mayWrite({ literal: path.resolve(directory, file), real });
  });
  if (!writable) refuse(`it writes ${file}`);
  scope.totals.writes = true;
}
