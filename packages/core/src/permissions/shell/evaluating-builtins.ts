import { isNumberVariable, PROGRAM_VARIABLE, steersShell } from './evaluating-syntax.ts';
import type { ShellWord } from './shell-word.ts';

/** Why a builtin may evaluate its arguments as code; undefined when it cannot, or for other programs. */
export function evaluatingBuiltin(name: string, args: readonly ShellWord[]): string | undefined {
  const check = Object.hasOwn(BUILTINS, name) ? BUILTINS[name] : undefined;
  if (check === undefined) return undefined;
  const values = args.map((word) => word.value);
  return check(values) ? `${name} may run what it is given` : undefined;
}

type Values = readonly (string | undefined)[];

/** A name that means nothing to the shell or to the programs it starts. */
const isPlainName = (value: string | undefined) =>
  value !== undefined &&
  /^[A-Za-z_]\w*$/.test(value) &&
  !(isNumberVariable(value) || steersShell(value) || PROGRAM_VARIABLE.test(value));
const isOption = (value: string | undefined) => value?.startsWith('-') === true;

/** Whether some word is neither an option with these letters nor a plain name, with or without a value. */
function namesBeyond(letters: string): (values: Values) => boolean {
  const options = new RegExp(`^[-+][${letters}]*$`);
  return (values) =>
    values.some((value) => {
      if (value === undefined) return true;
      if (isOption(value)) return !options.test(value);
      // What is assigned here is seen as an assignment.
      const [, name, assigned] = /^([A-Za-z_]\w*)(\+?=|$)/.exec(value) ?? [];
      return assigned === '=' ? isNumberVariable(name ?? '') : !isPlainName(name);
    });
}

/** `-v` and `-R` take a variable name and evaluate an index in it. */
const evaluatesName = (values: Values) =>
  values.some((value, at) => /^-[vR]$/.test(value ?? '') && !isPlainName(values[at + 1])) ||
  (values.some((value) => /^-(?:eq|ne|lt|le|gt|ge)$/.test(value ?? '')) &&
    values.some((value) => value !== undefined && /\[/.test(value) && value !== '[')) ||
  (values.length === 2 && values[0] === undefined);

/** For each builtin that evaluates its words: whether these words may be more than data. */
const BUILTINS: Readonly<Record<string, (values: Values) => boolean>> = {
  test: evaluatesName,
  '[': evaluatesName,
  printf: (values) => /^-v/.test(values[0] ?? '-v') && !isPlainName(values[1]) && values.length > 0,
  wait: (values) => values.some((value) => value === undefined || /^-p/.test(value)),
  let: (values) => values.some((value) => value === undefined || /[[$`]/.test(value)),
  read: (values) => readNames(values).some((value) => !isPlainName(value)),
  mapfile: fillsUnknown,
  readarray: fillsUnknown,
  getopts: (values) => !isPlainName(values[1]),
  declare: namesBeyond('aAfFgIlprtux'),
  typeset: namesBeyond('aAfFgIlprtux'),
  local: namesBeyond('aAlprtux'),
  readonly: namesBeyond('aAfp'),
  export: namesBeyond('fnp'),
  unset: namesBeyond('fv'),
  hash: (values) => values.some(isOption),
  enable: (values) => values.some(isOption),
  bind: () => true,
  fc: () => true,
  complete: (values) => values.some((value) => value === undefined || /^-\w*[CF]/.test(value)),
  compgen: (values) => values.some((value) => value === undefined || /^-\w*[CFW]/.test(value)),
};

/** Whether `mapfile` is given more than plain options, numbers and names. */
function fillsUnknown(values: Values): boolean {
  return values.some(
    (value) => !(isPlainName(value) || /^(?:-[tduOns]\w*|\d+)$/.test(value ?? '')),
  );
}

/** The variable names given to `read`, after its options and their values. */
function readNames(values: Values): Values {
  const names: (string | undefined)[] = [];
  for (let index = 0; index < values.length; index++) {
    const value = values[index];
    if (value === undefined || !value.startsWith('-')) names.push(value);
    else if (/^-[a-zA-Z]*a$/.test(value)) names.push(values[++index]);
    else if (/^-[ers]*[dinNptu]$/.test(value)) index++;
  }
  return names;
}
