/** Secret-shaped text: what it is called in a placeholder, and how it looks. */
interface SecretPattern {
  readonly kind: string;
  readonly shape: RegExp;
  /** Keeps what surrounds the secret; absent, the whole match is the secret. */
  readonly keep?: (...groups: string[]) => string;
}

const SECRET_NAME =
  '(?:api[-_]?key|authorization|access[-_]?token|refresh[-_]?token|auth[-_]?token|client[-_]?secret|private[-_]?key|secret[-_]?key|access[-_]?key|secret|password|passwd|passphrase|token|credentials?)';

export const SECRET_PATTERNS: readonly SecretPattern[] = [
  {
    kind: 'private-key',
    shape:
      /-----BEGIN [A-Z0-9 ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z0-9 ]*PRIVATE KEY-----|$)/g,
  },
  {
    kind: 'password',
    shape: /\b([a-z][a-z0-9+.-]{1,20}:\/\/[^\s:@/"'\\]*):([^\s@/"'\\]+)@/gi,
    keep: (_all, before = '') => `${before}:[REDACTED:password]@`,
  },
  {
    kind: 'bearer',
    shape: /\b(Bearer|Basic)\s+([A-Za-z0-9._~+/=-]{12,})/gi,
    keep: (all, scheme = '', value = '') =>
      // A word such as "basic functionality" is no credential.
      /^[a-z]+$/.test(value) ? all : `${scheme} [REDACTED:bearer]`,
  },
  { kind: 'api-key', shape: /\bsk-[A-Za-z0-9_-]{16,}/g },
  { kind: 'api-key', shape: /\b[sr]k_(?:live|test)_[A-Za-z0-9]{16,}/g },
  { kind: 'api-key', shape: /\bAIza[0-9A-Za-z_-]{35}/g },
  { kind: 'api-key', shape: /\b(?:xai|gsk|pplx|r8|fw)[-_][A-Za-z0-9]{32,}/g },
  { kind: 'github-token', shape: /\bgh[pousr]_[A-Za-z0-9]{20,}/g },
  { kind: 'github-token', shape: /\bgithub_pat_[A-Za-z0-9_]{20,}/g },
  { kind: 'gitlab-token', shape: /\bglpat-[A-Za-z0-9_-]{20,}/g },
  { kind: 'npm-token', shape: /\bnpm_[A-Za-z0-9]{36}\b/g },
  { kind: 'huggingface-token', shape: /\bhf_[A-Za-z0-9]{30,}/g },
  { kind: 'slack-token', shape: /\bxox[abeprs]-[A-Za-z0-9-]{10,}/g },
  { kind: 'webhook-secret', shape: /\bwhsec_[A-Za-z0-9+/=]{16,}/g },
  { kind: 'aws-key', shape: /\b(?:AKIA|ASIA)[0-9A-Z]{16}\b/g },
  { kind: 'jwt', shape: /\beyJ[A-Za-z0-9_-]{10,}\.eyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{5,}/g },
  {
    // A secret-named key in JSON text, such as a tool call's arguments.
    kind: 'value',
    shape: new RegExp(
      `(\\\\*"[A-Za-z0-9_-]*${SECRET_NAME}\\\\*"\\s?:\\s*\\\\*")((?:[^"\\\\]|\\\\[^"])+)`,
      'gi',
    ),
    keep: (all, before = '', value = '') =>
      value.startsWith('[REDACTED') ? all : `${before}[REDACTED]`,
  },
  {
    kind: 'value',
    shape:
      /\b([A-Z0-9_]*(?:API_KEY|SECRET|PASSWORD|TOKEN|PRIVATE_KEY|ACCESS_KEY|SECRET_KEY)=["']?)([^\s"'$\\]{4,})/g,
    keep: (all, before = '', value = '') =>
      value.startsWith('[REDACTED') ? all : `${before}[REDACTED]`,
  },
];

/** Pieces of which every text with a secret holds at least one. */
const TRACES = [
  'sk-',
  'k_live_',
  'k_test_',
  'AIza',
  'xai',
  'gsk',
  'pplx',
  'r8',
  'fw',
  'gh',
  'github_pat_',
  'glpat',
  'npm_',
  'hf_',
  'xox',
  'whsec_',
  'AKIA',
  'ASIA',
  'eyJ',
  'earer',
  'EARER',
  'asic',
  'ASIC',
  'PRIVATE KEY',
  '://',
  '":',
  '" :',
  'KEY=',
  'SECRET=',
  'PASSWORD=',
  'TOKEN=',
];

/** Cheap and wide: false only when none of the shapes above can be in `text`. */
export function mayHoldSecret(text: string): boolean {
  return TRACES.some((trace) => text.includes(trace));
}
