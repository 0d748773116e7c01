const MAX_LENGTH = 2_000;
const MAX_COMMANDS = 200;

const REGEX = String.raw`/(?:[^/\\\n]|\\[^\n])*/I?`;
const ADDRESS_REGEX = new RegExp(REGEX, 'g');
const ADDRESS = String.raw`(?:\d+(?:~\d+)?|\$|${REGEX})`;
const ADDRESSES = String.raw`(?:${ADDRESS}(?:,\s*(?:\+?\d+|${ADDRESS}))?)?[ \t]*!?[ \t]*`;
const START = new RegExp(String.raw`^[ \t]*(${ADDRESSES})`);
const SUBSTITUTE =
  /^s([/|#,@])((?:(?!\1)[^\\\n]|\\[^\n])*)\1((?:(?!\1)[^\\\n]|\\[^\n])*)\1[gipI0-9]*/;
const TRANSLITERATE = /^y\/[^/\\\n]*\/[^/\\\n]*\//;
/** Print, delete, quit and hold-space commands, which have no effect outside sed. */
const SIMPLE = /^(?:q\d*|[pdDPNnhHgGxl=])/;

/** Whether a script only prints and edits lines, without `r`, `w`, `e`, their flags and labels. */
export function isSedScript(script: string): boolean {
  if (script.length > MAX_LENGTH) return false;
  let rest = script;
  let open = 0;
  for (let count = 0; count < MAX_COMMANDS; count++) {
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
  if (!(addresses.match(ADDRESS_REGEX) ?? []).every(hasClosedSets)) return 0;
  const command = text.slice(addresses.length);
  const length = command.startsWith('{') ? 1 : commandLength(command);
  return length === 0 ? 0 : addresses.length + length;
}

function commandLength(text: string): number {
  const substitute = SUBSTITUTE.exec(text);
  if (substitute !== null) return hasClosedSets(substitute[2] ?? '') ? substitute[0].length : 0;
  return (TRANSLITERATE.exec(text) ?? SIMPLE.exec(text))?.[0].length ?? 0;
}

/** An element of a set that every implementation reads in the same way: a class, or no bracket and no backslash before one. */
const ELEMENT = String.raw`(?:\[:[a-z]+:\]|\\[^\][\\\n]|[^\][\\\n])`;
/** A `]` at the start of a set is literal. */
const SET = String.raw`\[(?:\^(?:\]|${ELEMENT})|(?!\^)(?:\]|${ELEMENT}))${ELEMENT}*\]`;
const CLOSED_SETS = new RegExp(String.raw`^(?:\\[^\n]|${SET}|[^[\\\n])*$`);

/** When a set may contain the delimiter, implementations disagree on where the expression ends. */
export function hasClosedSets(expression: string): boolean {
  return CLOSED_SETS.test(expression);
}
