const LONGEST = 2_000;
const MOST_COMMANDS = 200;

const REGEX = String.raw`/(?:[^/\\\n]|\\[^\n])*/I?`;
const ADDRESS = String.raw`(?:\d+(?:~\d+)?|\$|${REGEX})`;
const ADDRESSES = String.raw`(?:${ADDRESS}(?:,\s*(?:\+?\d+|${ADDRESS}))?)?[ \t]*!?[ \t]*`;
const START = new RegExp(String.raw`^[ \t]*(${ADDRESSES})`);
const SUBSTITUTE =
  /^s([/|#,@])((?:(?!\1)[^\\\n]|\\[^\n])*)\1((?:(?!\1)[^\\\n]|\\[^\n])*)\1[gipI0-9]*/;
const TRANSLITERATE = /^y\/[^/\\\n]*\/[^/\\\n]*\//;
/** Print, delete, quit and move between the spaces: what has no effect outside of sed. */
const SIMPLE = /^(?:q\d*|[pdDPNnhHgGxl=])/;

/** Whether a script only prints and changes lines; `r`, `w`, `e`, their flags and labels do not occur in it. */
export function isSedScript(script: string): boolean {
  if (script.length > LONGEST) return false;
  let rest = script;
  let open = 0;
  for (let count = 0; count < MOST_COMMANDS; count++) {
    rest = rest.replace(/^[\s;]+/, '');
    if (rest === '') return open === 0;
    const length = stepLength(rest);
    if (length === 0) return false;
    const step = rest.slice(0, length);
    rest = rest.slice(length);
    if (step.endsWith('{')) open++;
    else if (step === '}') open--;
    if (open < 0 || (!step.endsWith('{') && !/^[ \t]*(?:[;\n}]|$)/.test(rest))) return false;
  }
  return false;
}

/** The length of one command with its addresses, or of a brace; 0 when it is neither. */
function stepLength(text: string): number {
  if (text.startsWith('}')) return 1;
  const addresses = START.exec(text)?.[0] ?? '';
  if (!hasClosedSets(addresses)) return 0;
  const command = text.slice(addresses.length);
  const length = command.startsWith('{') ? 1 : commandLength(command);
  return length === 0 ? 0 : addresses.length + length;
}

function commandLength(text: string): number {
  const substitute = SUBSTITUTE.exec(text);
  if (substitute !== null) return hasClosedSets(substitute[2] ?? '') ? substitute[0].length : 0;
  return (TRANSLITERATE.exec(text) ?? SIMPLE.exec(text))?.[0].length ?? 0;
}

/** Where a set may hold the delimiter, programs disagree on where the expression ends. */
export function hasClosedSets(expression: string): boolean {
  const plain = expression.replaceAll(/\\[^\n]/g, '');
  // A `]` that stands first in a set is one of its characters.
  const set = /\[\^?\]?/g;
  for (let open = set.exec(plain); open !== null; open = set.exec(plain)) {
    const close = plain.indexOf(']', set.lastIndex);
    if (close === -1) return false;
    set.lastIndex = close + 1;
  }
  return true;
}
