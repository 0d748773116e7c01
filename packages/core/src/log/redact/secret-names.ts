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

/** Whether the last two letters of a name, in lower case, can end a secret name; a cheap first look. */
const LAST_TWO = new Uint8Array(128 * 128);
for (const ending of [...SECRET_ENDINGS, ...WEAK_PARTS]) {
  for (const form of [ending, `${ending}s`]) {
    LAST_TWO[(form.charCodeAt(form.length - 2) << 7) | form.charCodeAt(form.length - 1)] = 1;
  }
}

export function mayEndSecretName(beforeLast: number, last: number): boolean {
  if (beforeLast > 127 || last > 127) return false;
  return LAST_TWO[(lowerCase(beforeLast) << 7) | lowerCase(last)] === 1;
}

function lowerCase(code: number): number {
  return code >= 65 && code <= 90 ? code + 32 : code;
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
