import {
  CREDENTIAL,
  DOTTED_KEY,
  isBlank,
  isIn,
  isQuote,
  KEY,
  LETTERS,
  runEnd,
  type SourceText,
} from './characters.ts';
import type { Rule } from './scan.ts';
import { beginningOf, exactly, runOf, until } from './secret-end.ts';
import { isStandIn, looksRandom } from './value-shape.ts';

const LONGEST_USER_PART = 512;

/** `://user:password@host`, or a long token alone before the `@`. */
export const urlPassword: Rule = (text, at, final) => {
  const from = at + 3;
  const limit = from + LONGEST_USER_PART;
  const { end, lastAt, colon } = readAuthority(text, from, limit);
  if (end === text.length && end < limit && !final) return 'open';
  if (lastAt === -1 || text.startsWith('[REDACTED', from)) return undefined;
  const start = colon !== -1 && colon < lastAt ? colon + 1 : from;
  const secret = text.slice(start, lastAt);
  if (secret === '' || isStandIn(secret)) return undefined;
  if (start === from && (secret.length < 16 || !looksRandom(secret))) return undefined;
  return { start, kind: 'password', end: exactly(lastAt - start) };
};

/** The part of a URL before its path; passwords may hold an `@` themselves. */
function readAuthority(
  text: SourceText,
  from: number,
  limit: number,
): { readonly end: number; readonly lastAt: number; readonly colon: number } {
  let [lastAt, colon] = [-1, -1];
  let at = from;
  for (const last = Math.min(text.length, limit); at < last; at++) {
    const code = text.charCodeAt(at);
    if (code === 64) lastAt = at;
    else if (code === 58 && colon === -1) colon = at;
    else if (endsAuthority(code)) break;
  }
  return { end: at, lastAt, colon };
}

function endsAuthority(code: number): boolean {
  return code <= 32 || isQuote(code) || '\\<>/?#'.includes(String.fromCharCode(code));
}

/** `Bearer …` and `Basic …`: the credential of an HTTP request. */
export function schemeCredential(scheme: string): Rule {
  return (text, at, final) => credentialAfter(text, at + scheme.length, { least: 12, final });
}

/** `Authorization: ApiKey …`: any other scheme. */
export const authorizationHeader: Rule = (text, at, final) => {
  const schemeAt = at + 'authorization: '.length;
  const end = runEnd(text, schemeAt, { set: LETTERS, limit: schemeAt + 24 });
  if (end === text.length) return final ? undefined : 'open';
  if (end === schemeAt || end === schemeAt + 24) return undefined;
  return credentialAfter(text, end, { least: 6, final });
};

const LOOK_AT_CREDENTIAL = 48;

function credentialAfter(
  text: SourceText,
  from: number,
  { least, final }: { readonly least: number; readonly final: boolean },
) {
  let start = from;
  while (start - from < 4 && isBlank(text.charCodeAt(start))) start++;
  if (start === text.length) return final ? undefined : 'open';
  if (start === from) return undefined;
  const limit = start + LOOK_AT_CREDENTIAL;
  const end = runEnd(text, start, { set: CREDENTIAL, limit });
  if (end === text.length && end < limit && !final) return 'open';
  const seen = text.slice(start, end);
  // "basic functionality", "bearer of://news": words and addresses are no credentials.
  if (seen.length < least || (/^[a-z-]+[.:]?$/i.test(seen) && seen.length < 24)) return undefined;
  if (isStandIn(seen) || (!/\d/.test(seen) && !looksRandom(seen))) return undefined;
  return { start, kind: 'bearer', end: runOf(CREDENTIAL) };
}

const LOOK_AT_COOKIE = 128;

/** `Cookie: a=b; c=d`: the whole header. */
export const cookieHeader: Rule = (text, at, final) => {
  let start = at + 'cookie'.length;
  const opens = (code: number) => isBlank(code) || isQuote(code) || code === 92;
  const skip = (from: number) => {
    let to = from;
    while (to - from < 12 && opens(text.charCodeAt(to))) to++;
    return to;
  };
  start = skip(start);
  if (start === text.length) return final ? undefined : 'open';
  if (text.charCodeAt(start) !== 58) return undefined;
  start = skip(start + 1);
  const seen = beginningOf(text, start, { end: until(endsHeader), limit: LOOK_AT_COOKIE, final });
  if (seen === undefined) return 'open';
  if (!/^[\w.%-]+=[^=\s]/.test(seen.value) || seen.value.length < 8) return undefined;
  return { start, kind: 'cookie', end: until(endsHeader) };
};

function endsHeader(code: number): boolean {
  return code === 10 || code === 13 || code === 92 || isQuote(code);
}

const LOOK_AT_USER = 200;

/** `curl -u user:password`. */
export function userAndPassword(flag: string): Rule {
  return (text, at, final) => {
    if (at > 0 && !isBlank(text.charCodeAt(at - 1)) && !isQuote(text.charCodeAt(at - 1))) {
      return undefined;
    }
    const flagEnd = at + flag.length;
    if (flagEnd === text.length) return final ? undefined : 'open';
    const from = isQuote(text.charCodeAt(flagEnd)) ? flagEnd + 1 : flagEnd;
    const seen = beginningOf(text, from, { end: until(endsArgument), limit: LOOK_AT_USER, final });
    if (seen === undefined) return 'open';
    const password = passwordAt(seen.value);
    if (password === -1) return undefined;
    return { start: from + password, kind: 'password', end: until(endsArgument) };
  };
}

/** Where the password of `user:password` begins, or -1; numbers of users and groups are none. */
function passwordAt(word: string): number {
  const colon = word.indexOf(':');
  const password = word.slice(colon + 1);
  const isPassword =
    colon > 0 &&
    password.length >= 4 &&
    !/^[\d:]+$/.test(password) &&
    !isStandIn(password) &&
    !/[/$({}]/.test(word.slice(0, colon));
  return isPassword ? colon + 1 : -1;
}

function endsArgument(code: number): boolean {
  return code <= 32 || isQuote(code) || code === 92;
}

/** `mysql -pPassword`, where the flag and the password are one word. */
export const gluedPassword: Rule = (text, at, final) => {
  const start = at + 3;
  const end = runEnd(text, start, { set: KEY, limit: start + 64 });
  if (end === text.length && end < start + 64 && !final) return 'open';
  const seen = text.slice(start, end);
  if (!/[A-Z]/.test(seen) || !/[a-z]/.test(seen) || !looksRandom(seen)) return undefined;
  return { start, kind: 'password', end: runOf(KEY) };
};

/** `123456789:AA…`: the part of a bot's token behind its number. */
export const telegramToken: Rule = (text, at, final) => {
  let digits = 0;
  while (digits < 12 && /\d/.test(text.slice(at - digits - 1, at - digits))) digits++;
  if (digits < 8) return undefined;
  const start = at + 1;
  const end = runEnd(text, start, { set: KEY, limit: start + 32 });
  if (end === text.length && end < start + 32 && !final) return 'open';
  return end - start < 32 ? undefined : { start, kind: 'telegram-token', end: runOf(KEY) };
};

/** `abc8Q~…` of Azure and `….atlasv1.…` of Terraform: a mark in the middle of the secret; what stands before it is short. */
export function markedSecret(kind: string, mark: string): Rule {
  return (text, at, final) => {
    if (at === 0 || !isIn(DOTTED_KEY, text.charCodeAt(at - 1))) return undefined;
    const body = at + mark.length;
    const end = runEnd(text, body, { set: DOTTED_KEY, limit: body + 30 });
    if (end === text.length && end < body + 30 && !final) return 'open';
    if (end - body < 30) return undefined;
    return { start: at, kind, readFrom: body, end: runOf(DOTTED_KEY) };
  };
}
