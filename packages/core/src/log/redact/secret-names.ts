import type { SourceText } from './characters.ts';

/**
 * What a name says about its value.
 * `secret`: it is one. `plural`: strings in it are, counts are not. `weak`: it is one if it looks like one.
 * `exempt`: ids, hashes, signatures and encrypted reasoning, which others need byte for byte.
 */
export type NameKind = 'secret' | 'plural' | 'weak' | 'exempt' | 'plain';

/** Endings of names whose value is a secret, without separators and in lower case. */
const SECRET_ENDINGS = [
  'apikey',
  'authorization',
  'token',
  'secret',
  'secretkey',
  'password',
  'passwd',
  'passphrase',
  'passcode',
  'privatekey',
  'privatekeyid',
  'accesskey',
  'accesskeyid',
  'accountkey',
  'authkey',
  'signingkey',
  'encryptionkey',
  'masterkey',
  'sharedkey',
  'subscriptionkey',
  'functionskey',
  'licensekey',
  'clientkeydata',
  'credential',
  'cookie',
  'pwd',
  'mnemonic',
  'seedphrase',
  'amzsignature',
  'googsignature',
];

/** Last parts of names that are as often something else. */
const WEAK_PARTS = new Set(['auth', 'pass', 'sig']);

const EXEMPT_NAME =
  /^(?:id|.*(?:Id|_id|ID)|sha256|timestamp|event|role|type|state|signature|.*[sS]ignature|encrypted.*|relativePath)$/;

/**
 * The last three letters of secret names, five bits each, in any case. In the place of the third from the end, 0 stands
 * for a separator or what is before the name.
 */
const LAST_LETTERS = new Uint8Array(32 * 32 * 32);
for (const ending of [...SECRET_ENDINGS, ...WEAK_PARTS]) {
  for (const form of [ending, `${ending}s`]) {
    const [third, second, last] = [3, 2, 1].map((back) => letterNumber(form, form.length - back));
    const end = ((second ?? 0) << 5) | (last ?? 0);
    for (const before of [third ?? 0, 0]) LAST_LETTERS[(before << 10) | end] = 1;
  }
}

/** Whether the letters up to `last` can end a secret name; a cheap first look. */
export function mayEndSecretName(text: SourceText, last: number): boolean {
  const end = (letterNumber(text, last - 1) << 5) | letterNumber(text, last);
  return LAST_LETTERS[(letterNumber(text, last - 2) << 10) | end] === 1;
}

/** 1 to 26 in any case, 0 for what is no letter. */
function letterNumber(text: SourceText, at: number): number {
  const code = text.charCodeAt(at) | 32;
  return code >= 97 && code <= 122 ? code - 96 : 0;
}

const known = new Map<string, NameKind>();

export function nameKind(name: string): NameKind {
  const before = known.get(name);
  if (before !== undefined) return before;
  const kind = classify(name);
  // Names can come from tool output, so the memory of them is bounded.
  if (known.size > 5000) known.clear();
  if (name.length <= 100) known.set(name, kind);
  return kind;
}

function classify(name: string): NameKind {
  const tail = name.slice(-100);
  const bare = tail.replace(/[-_\s.$]/g, '').toLowerCase();
  if (endsSecret(bare)) return 'secret';
  if (bare.endsWith('s') && endsSecret(bare.slice(0, -1))) return 'plural';
  const lastPart = /[^-_\s.$]*$/.exec(tail)?.[0].toLowerCase() ?? '';
  if (WEAK_PARTS.has(lastPart)) return 'weak';
  return EXEMPT_NAME.test(name) ? 'exempt' : 'plain';
}

function endsSecret(bare: string): boolean {
  return SECRET_ENDINGS.some((ending) => bare.endsWith(ending));
}

/** Names such as `max_token` and `tokenCount` count something; a number there is no secret. */
export function isCounter(name: string): boolean {
  return /(?:max|min|num|count|total|per|limit|usage|used|budget)[-_\s.]?tokens?$/i.test(name);
}
