import {
  ALNUM,
  BASE64,
  type CharacterSet,
  CREDENTIAL,
  DOTTED_KEY,
  isIn,
  isPartEdge,
  KEY,
  LOWER_HEX,
  runEnd,
  type SourceText,
} from './characters.ts';
import type { Rule, Verdict } from './scan.ts';
import { exactly, runOf } from './secret-end.ts';

/** Keys that vendors begin with a word of their own, so that tools like this one can find them. */
interface VendorKeys {
  readonly kind: string;
  /** The beginnings, divided by spaces. Those with a `|` occur in no word and are also found glued to one. */
  readonly prefixes: string;
  /** How many characters of `set` must follow at least. */
  readonly least: number;
  readonly set?: CharacterSet;
}

const BASE64_KEY = Uint8Array.from(BASE64, (is, code) => is | (KEY[code] ?? 0));

const VENDOR_KEYS: readonly VendorKeys[] = [
  // Anthropic, OpenAI, DeepSeek, OpenRouter and many that copied them.
  { kind: 'api-key', prefixes: 'sk-', least: 16 },
  {
    kind: 'api-key',
    prefixes: 'sk|-ant- sk|-proj- sk|-or-v1- sk-or- sk|-svcacct- sess-',
    least: 24,
  },
  { kind: 'api-key', prefixes: 'AIza', least: 30 },
  {
    kind: 'api-key',
    prefixes: 'gsk_ xai- pplx- fw_ r8_ jina_ csk- tvly- re_',
    least: 20,
    set: ALNUM,
  },
  { kind: 'api-key', prefixes: 'nvapi- tgp_v1_ pcsk_ lsv2_pt_ lsv2_sk_ e2b_ vck_', least: 20 },
  { kind: 'aws-key', prefixes: 'ABSK bedrock-api-key-', least: 60, set: BASE64 },
  { kind: 'github-token', prefixes: 'ghp_ gho_ ghu_ ghs_ ghr_', least: 20, set: ALNUM },
  { kind: 'github-token', prefixes: 'github|_pat_', least: 20 },
  {
    kind: 'gitlab-token',
    prefixes: 'glpat- gldt- glrt- glptt- glft- glsoat- glcbt- glimt- glagent- gloas- GR1348941',
    least: 16,
    set: DOTTED_KEY,
  },
  { kind: 'bitbucket-token', prefixes: 'ATBB ATATT3 ATCTT3', least: 20, set: BASE64_KEY },
  { kind: 'npm-token', prefixes: 'npm_', least: 30, set: ALNUM },
  { kind: 'huggingface-token', prefixes: 'hf_ api_org_', least: 28, set: ALNUM },
  { kind: 'package-token', prefixes: 'pypi-AgE rubygems_ dckr_pat_ dckr_oat_ AKCp', least: 20 },
  {
    kind: 'slack-token',
    prefixes: 'xoxa- xo|xb- xoxc- xoxd- xoxe- xo|xp- xoxr- xoxs- xapp- xoxe.xox',
    least: 10,
  },
  { kind: 'api-key', prefixes: 'sk|_live_ sk_test_ rk|_live_ rk_test_', least: 16 },
  { kind: 'webhook-secret', prefixes: 'whsec_', least: 16, set: BASE64 },
  {
    kind: 'payment-key',
    prefixes: 'sq0atp- sq0csp- shpat_ shpca_ shppa_ shpss_ rzp_live_',
    least: 16,
  },
  { kind: 'google-token', prefixes: 'ya29. GOCSPX-', least: 20 },
  { kind: 'cloud-token', prefixes: 'dop_v1_ doo_v1_ dor_v1_ HRKU- fo1_ fm2_', least: 20 },
  { kind: 'cloud-token', prefixes: 'pscale_tkn_ pscale_pw_ pscale_oauth_ sbp_', least: 20 },
  { kind: 'cloud-token', prefixes: 'nfp_ rnd_ napi_ pul-', least: 28, set: ALNUM },
  { kind: 'cloud-token', prefixes: 'sb_secret_ tskey- LTAI', least: 16 },
  { kind: 'vault-token', prefixes: 'hvs. hvb. hvr.', least: 20 },
  {
    kind: 'vault-token',
    prefixes: 'dp.pt. dp.st. dp.ct. dp.sa. ops_eyJ',
    least: 20,
    set: DOTTED_KEY,
  },
  { kind: 'age-key', prefixes: 'AGE-SECRET-KEY-1', least: 20 },
  {
    kind: 'monitoring-token',
    prefixes: 'sntrys_ sntryu_ glc_ glsa_ NRAK- phx_ dt0c01.',
    least: 20,
    set: Uint8Array.from(BASE64_KEY, (is, code) => is | (code === 46 ? 1 : 0)),
  },
  {
    kind: 'app-token',
    prefixes: 'lin_api_ lin_oauth_ ntn_ figd_ PMAK- CFPAT- xkeysib-',
    least: 20,
  },
  { kind: 'app-token', prefixes: 'shippo_live_ EZAK FLWSECK duffel_live_ tfp_', least: 20 },
];

export interface VendorRule {
  /** What the key begins with. */
  readonly begins: string;
  /** What must stand before it: the beginning of a key that is glued to a word. */
  readonly behind: string;
  readonly rule: Rule;
}

/** The rules for all of them. */
export function vendorRules(): readonly VendorRule[] {
  return VENDOR_KEYS.flatMap(({ kind, prefixes, least, set = KEY }) =>
    prefixes.split(' ').flatMap((each): readonly VendorRule[] => {
      const [behind = '', begins] = each.split('|');
      const prefix = behind + (begins ?? '');
      const rule = vendorRule({ kind, prefix, least, set });
      const whole = { begins: prefix, behind: '', rule };
      return begins === undefined
        ? [whole]
        : [whole, { begins, behind, rule: glued(rule, behind) }];
    }),
  );
}

/** What stands before the `|` stays in the text, because a stream does not hold back every word that ends like it. */
function glued(rule: Rule, behind: string): Rule {
  return (text, at, final) => {
    const start = at - behind.length;
    // There the rule of the whole beginning has decided.
    if (isPartEdge(text, start)) return undefined;
    const verdict = rule(text, start, final);
    return typeof verdict === 'object' ? { ...verdict, start: at } : verdict;
  };
}

/** Keys that are told by their length or their parts. */
export function shapedRules(): readonly (readonly [prefix: string, rule: Rule])[] {
  return [
    ['AKIA', exactRule('aws-key', { prefix: 'AKIA', length: 16, set: ALNUM })],
    ['ASIA', exactRule('aws-key', { prefix: 'ASIA', length: 16, set: ALNUM })],
    ['ABIA', exactRule('aws-key', { prefix: 'ABIA', length: 16, set: ALNUM })],
    ['SK', exactRule('twilio-key', { prefix: 'SK', length: 32, set: LOWER_HEX })],
    ['key-', exactRule('mailgun-key', { prefix: 'key-', length: 32, set: LOWER_HEX })],
    ['dapi', exactRule('databricks-token', { prefix: 'dapi', length: 32, set: LOWER_HEX })],
    ['eyJ', jsonWebToken],
    [
      'SG.',
      (text, at, final) => dotted(text, at, { kind: 'sendgrid-key', parts: [2, 16, 20], final }),
    ],
    ...['MT', 'MD', 'Mz', 'Mj', 'NT', 'NZ', 'Nj', 'Nz', 'OD', 'OT'].map(
      (prefix): readonly [string, Rule] => [
        prefix,
        (text, at, final) => dotted(text, at, { kind: 'discord-token', parts: [18, 5, 25], final }),
      ],
    ),
  ];
}

interface KeyShape {
  readonly prefix: string;
  readonly least: number;
  readonly set: CharacterSet;
}

function vendorRule({ kind, prefix, least, set }: KeyShape & { readonly kind: string }): Rule {
  return (text, at, final) => {
    if (!isKeyEdge(text, at, prefix.length)) return undefined;
    const body = at + prefix.length;
    // Enough to see a digit or a capital letter where there are any.
    const end = runEnd(text, body, { set, limit: body + Math.max(least, 48) });
    if (end === text.length && !final && end < body + Math.max(least, 48)) return 'open';
    if (end - body < least || isWords(text.slice(body, end))) return undefined;
    return { start: at, kind, readFrom: body, end: runOf(set === ALNUM ? KEY : set) };
  };
}

/** Short beginnings occur in the middle of other keys and encrypted text, behind a `-`. */
function isKeyEdge(text: SourceText, at: number, prefixLength: number): boolean {
  return at === 0 || prefixLength > 4 || text.charCodeAt(at - 1) !== 45;
}

/** Names of styles and functions: every part of them is a word, perhaps with a number behind it. */
function isWords(text: string): boolean {
  return text.split(/[-_.]/).every((part) => WORD.test(part));
}

const WORD = /^(?:[A-Z]?[a-z]{0,22}|[A-Z]{1,12})\d{0,3}$/;

interface ExactShape {
  readonly prefix: string;
  readonly length: number;
  readonly set: CharacterSet;
}

function exactRule(kind: string, { prefix, length, set }: ExactShape): Rule {
  const whole = prefix.length + length;
  return (text, at, final) => {
    const end = runEnd(text, at + prefix.length, { set, limit: at + whole });
    if (end < at + whole) return end === text.length && !final ? 'open' : undefined;
    if (end === text.length && !final) return 'open';
    const after = text.charCodeAt(end);
    if (isIn(KEY, after) && after !== 45) return undefined;
    if (isWords(text.slice(at + prefix.length, end))) return undefined;
    return { start: at, kind, end: exactly(whole) };
  };
}

/** Longer headers, with certificates in them, do not occur in what people paste. */
const LONGEST_JWT_HEADER = 2_048;

/** `header.payload.signature`, or the five parts of an encrypted one. */
function jsonWebToken(text: SourceText, at: number, final: boolean): Verdict {
  if (!isKeyEdge(text, at, 3)) return undefined;
  const dot = runEnd(text, at, { set: KEY, limit: at + LONGEST_JWT_HEADER });
  if (dot - at === LONGEST_JWT_HEADER) return undefined;
  if (dot === text.length && !final) return 'open';
  if (dot - at < 12 || text.charCodeAt(dot) !== 46) return undefined;
  const payload = runEnd(text, dot + 1, { set: DOTTED_KEY, limit: dot + 25 });
  if (payload === text.length && !final && payload < dot + 25) return 'open';
  if (payload - dot < 12 || isWords(text.slice(dot + 1, payload))) return undefined;
  return { start: at, kind: 'jwt', end: runOf(DOTTED_KEY) };
}

interface DottedShape {
  readonly kind: string;
  /** The least length of each part. */
  readonly parts: readonly number[];
  readonly final: boolean;
}

const LONGEST_PART = 100;

function dotted(text: SourceText, at: number, { kind, parts, final }: DottedShape): Verdict {
  if (!isKeyEdge(text, at, 2)) return undefined;
  let from = at;
  for (const [index, least] of parts.entries()) {
    const end = runEnd(text, from, { set: KEY, limit: from + LONGEST_PART });
    const isLast = index === parts.length - 1;
    if (end === text.length && !final && (!isLast || end - from < least)) return 'open';
    if (end - from < least) return undefined;
    if (!isLast && text.charCodeAt(end) !== 46) return undefined;
    from = end + 1;
  }
  return { start: at, kind, end: runOf(DOTTED_KEY) };
}

/** What follows an address that is itself a secret: a web hook. */
export function hookRule(prefix: string): Rule {
  return (text, at, final) => {
    const start = at + prefix.length;
    const end = runEnd(text, start, { set: CREDENTIAL, limit: start + 16 });
    if (end === text.length && !final && end < start + 16) return 'open';
    return end - start < 16 ? undefined : { start, kind: 'webhook', end: runOf(CREDENTIAL) };
  };
}
