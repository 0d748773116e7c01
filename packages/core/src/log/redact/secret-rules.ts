import { assignedValue, flagValue, followsPlainName, passwordWord } from './assigned-value.ts';
import { isLeftEdge, isPartEdge, type SourceText } from './characters.ts';
import {
  authorizationHeader,
  cookieHeader,
  gluedPassword,
  markedSecret,
  schemeCredential,
  telegramToken,
  urlPassword,
  userAndPassword,
} from './credential-rules.ts';
import { privateKey } from './private-key.ts';
import type { Rule, ScanRules, Verdict } from './scan.ts';
import { hookRule, shapedRules, type VendorRule, vendorRules } from './vendor-keys.ts';

interface Trigger {
  /** What the text must show at the place; in lower case when `anyCase`. */
  readonly begins: string;
  readonly anyCase: boolean;
  /** What must begin at the place: a word, a part of one behind a `_`, or nothing. */
  readonly edge: 'word' | 'part' | undefined;
  /** What the text must show before the place. */
  readonly behind: string;
  readonly rule: Rule;
}

const trigger = (begins: string, rule: Rule): Trigger => ({
  begins,
  anyCase: false,
  edge: /^[A-Za-z]/.test(begins) ? 'word' : undefined,
  behind: '',
  rule,
});
const anyCase = (begins: string, rule: Rule): Trigger => ({
  ...trigger(begins, rule),
  anyCase: true,
});
const inside = (begins: string, rule: Rule): Trigger => ({
  ...trigger(begins, rule),
  edge: undefined,
});
/** Long beginnings are told from words behind a `_`, too. */
const vendorKey = ({ begins, behind, rule }: VendorRule): Trigger =>
  behind === ''
    ? { ...trigger(begins, rule), edge: /^.{3,}[-_.]$/.test(begins) ? 'part' : 'word' }
    : { ...inside(begins, rule), behind };

const WEB_HOOKS = [
  'hooks.slack.com/services/',
  'hooks.slack.com/workflows/',
  'discord.com/api/webhooks/',
  'discordapp.com/api/webhooks/',
  'webhook.office.com/webhookb2/',
];

let built: ScanRules | undefined;

/** All that is known about how secrets look in text. Built with the first text, because a start may have none to redact. */
export function secretRules(): ScanRules {
  built ??= buildRules();
  return built;
}

/** The column of a text that ends behind its first character. */
const TEXT_ENDS = 0;

function buildRules(): ScanRules {
  const byPair = triggersByPair();
  const onlyAssigns = pairsThatOnlyAssign(byPair);
  return {
    ...thirdCharacters(byPair),
    find(text, at, final): Verdict {
      const next = at + 1 < text.length ? text.charCodeAt(at + 1) : TEXT_ENDS;
      const pair = ((text.charCodeAt(at) & 127) << 7) | (next & 127);
      // Nearly all colons and equals signs stand behind a name that says nothing of a secret.
      if (onlyAssigns[pair] === 1 && followsPlainName(text, at)) return undefined;
      const triggers = byPair.get(pair);
      if (triggers === undefined) return undefined;
      for (const each of triggers) {
        const verdict = tryTrigger(each, text, at, final);
        if (verdict !== undefined) return verdict;
      }
      return undefined;
    },
  };
}

type TriggersByPair = ReadonlyMap<number, readonly Trigger[]>;

/** The triggers by their first two characters, longest first; a trigger of one character stands in every place of its row. */
function triggersByPair(): TriggersByPair {
  const byPair = new Map<number, Trigger[]>();
  const everySecond = Array.from({ length: 128 }, (_, code) => code);
  for (const each of allTriggers()) {
    for (const first of spellings(each, 0)) {
      const seconds = each.begins.length === 1 ? everySecond : spellings(each, 1);
      for (const second of [...seconds, TEXT_ENDS]) {
        const pair = (first << 7) | second;
        const list = byPair.get(pair) ?? [];
        if (!list.includes(each)) list.push(each);
        byPair.set(pair, list);
      }
    }
  }
  for (const list of byPair.values()) {
    list.sort((left, right) => right.begins.length - left.begins.length);
  }
  return byPair;
}

/** Pairs of which only an assignment can begin. */
function pairsThatOnlyAssign(byPair: TriggersByPair): Uint8Array {
  const found = new Uint8Array(128 * 128);
  for (const [pair, triggers] of byPair) {
    if (triggers.every(({ rule }) => rule === assignedValue)) found[pair] = 1;
  }
  return found;
}

/** The set of a trigger that ends before its third character. */
const ANY_CHARACTER = '';

/** For each pair the number of its set of third characters; those with equal sets share one. */
function thirdCharacters(byPair: TriggersByPair): Pick<ScanRules, 'mayBegin' | 'thirds'> {
  const numbers = new Map<string, number>();
  const mayBegin = new Uint8Array(128 * 128);
  for (const [pair, triggers] of byPair) {
    const set = thirdsOf(triggers);
    const number = numbers.get(set) ?? numbers.size + 1;
    numbers.set(set, number);
    mayBegin[pair] = number;
  }
  const thirds = new Uint8Array((numbers.size + 1) * 128);
  for (const [set, number] of numbers) {
    const row = thirds.subarray(number * 128, (number + 1) * 128);
    if (set === ANY_CHARACTER) row.fill(1);
    for (let at = 0; at < set.length; at++) row[set.charCodeAt(at)] = 1;
  }
  return { mayBegin, thirds };
}

/** The third characters, each once and in order, so that equal sets are equal texts. */
function thirdsOf(triggers: readonly Trigger[]): string {
  const codes = new Set<number>();
  for (const each of triggers) {
    if (each.begins.length < 3) return ANY_CHARACTER;
    for (const code of spellings(each, 2)) codes.add(code);
  }
  return String.fromCharCode(...[...codes].sort((left, right) => left - right));
}

function spellings({ begins, anyCase: isAnyCase }: Trigger, at: number): number[] {
  const code = begins.charCodeAt(at);
  return isAnyCase && code >= 97 && code <= 122 ? [code, code - 32] : [code];
}

function allTriggers(): readonly Trigger[] {
  return [
    trigger(':', assignedValue),
    trigger('=', assignedValue),
    ...vendorRules().map(vendorKey),
    ...shapedRules().map(([begins, rule]) => trigger(begins, rule)),
    ...WEB_HOOKS.map((address) => trigger(address, hookRule(address))),
    trigger('-----BEGIN ', privateKey),
    trigger('://', urlPassword),
    trigger(':AA', telegramToken),
    inside('Q~', markedSecret('azure-secret', 'Q~')),
    trigger('.atlasv1.', markedSecret('terraform-token', '.atlasv1.')),
    trigger('--', flagValue),
    trigger('-u ', userAndPassword('-u ')),
    trigger('--user ', userAndPassword('--user ')),
    trigger(' -p', gluedPassword),
    anyCase('bearer', schemeCredential('bearer')),
    anyCase('basic', schemeCredential('basic')),
    anyCase('authorization: ', authorizationHeader),
    anyCase('cookie', cookieHeader),
    anyCase('password ', passwordWord),
  ];
}

function tryTrigger(each: Trigger, text: SourceText, at: number, final: boolean): Verdict {
  const { begins, rule } = each;
  const matching = each.anyCase
    ? matchingAnyCase(text, at, begins)
    : matchingExactly(text, at, begins);
  if (matching < begins.length && (final || at + matching < text.length)) return undefined;
  if (each.edge !== undefined && !isAtEdge(text, at, each.edge)) return undefined;
  if (each.behind !== '' && !endsWith(text, at, each.behind)) return undefined;
  return matching === begins.length ? rule(text, at, final) : 'open';
}

function isAtEdge(text: SourceText, at: number, edge: 'word' | 'part'): boolean {
  return edge === 'word' ? isLeftEdge(text, at) : isPartEdge(text, at);
}

/** Whether `end` stands right before `at`. */
function endsWith(text: SourceText, at: number, end: string): boolean {
  return at >= end.length && matchingExactly(text, at - end.length, end) === end.length;
}

/** How many characters of `begins` the text shows at `at`. */
function matchingExactly(text: SourceText, at: number, begins: string): number {
  let count = 0;
  while (count < begins.length && text.charCodeAt(at + count) === begins.charCodeAt(count)) count++;
  return count;
}

function matchingAnyCase(text: SourceText, at: number, begins: string): number {
  let count = 0;
  while (count < begins.length) {
    const code = text.charCodeAt(at + count);
    const wanted = begins.charCodeAt(count);
    if (code !== wanted && !(code >= 65 && code <= 90 && code + 32 === wanted)) break;
    count++;
  }
  return count;
}
