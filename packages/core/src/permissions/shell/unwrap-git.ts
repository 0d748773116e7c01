import type { ShellWord } from './shell-word.ts';
import type { Unwrapped } from './unwrapped.ts';

/** Settings that git passes to a shell: aliases with `!`, pagers, editors, ssh commands, helpers. */
const GIT_PROGRAM =
  /^(?:[\w.-]+=!|[\w.-]*(?:command|pager|editor|helper|textconv|program|cmd|driver|external)=)(.*)$/is;
/** Settings after `-c` that only affect appearance or identity. */
const GIT_SETTING =
  /^(?:user\.(?:name|email)|color\.\w+|core\.(?:autocrlf|quotepath|abbrev|eol|filemode)|init\.defaultbranch|commit\.gpgsign|tag\.gpgsign|advice\.\w+|http\.(?:version|postbuffer|lowspeed\w+)|diff\.(?:algorithm|renames)|log\.\w+|pull\.\w+|push\.default|fetch\.prune|merge\.conflictstyle|rerere\.enabled)=[^!]*$/i;
const GIT_GLOBAL =
  /^(?:--no-pager|-P|-p|--paginate|--no-optional-locks|--literal-pathspecs|--bare|--no-replace-objects|--version|--help|--(?:git-dir|work-tree|namespace)=.*)$/s;
/** Options with which a subcommand starts a program; git accepts any unambiguous prefix of their names. */
const GIT_STARTS =
  '--upload-pack --receive-pack --exec --extcmd --ext-diff --open-files-in-pager --exec-path --sendmail-cmd'.split(
    ' ',
  );

export function unwrapGit(args: readonly ShellWord[]): Unwrapped | undefined {
  const values = args.map((word) => word.value ?? '');
  const scripts = values.flatMap((value) => GIT_PROGRAM.exec(value)?.[1] ?? []);
  scripts.push(...configured(values));
  const each = values.indexOf('foreach');
  if (values.includes('submodule') && each !== -1) {
    const words = values.slice(each + 1).filter((value) => !value.startsWith('--'));
    scripts.push(words.join(' '));
  }
  const run = values.indexOf('run');
  if (values.includes('bisect') && run !== -1) scripts.push(values.slice(run + 1).join(' '));
  for (const [index, value] of values.entries()) {
    if (/^-[a-zA-Z]*x$/.test(value) || value === '--exec') scripts.push(values[index + 1] ?? '');
    const joined = /^(?:--exec=|--extcmd=|-x)(.+)$/s.exec(value)?.[1];
    if (joined !== undefined) scripts.push(joined);
  }
  const problem = gitProblem(args);
  if (problem !== undefined) return { role: 'separate', commands: [], scripts, opaque: problem };
  return scripts.length === 0 ? undefined : { role: 'separate', commands: [], scripts };
}

/** `git config core.editor text`: the values of settings, except those that only affect appearance or identity. */
function configured(values: readonly string[]): readonly string[] {
  const at = values.indexOf('config');
  if (at === -1) return [];
  const words = values.slice(at + 1).filter((value) => !value.startsWith('-'));
  const [key = '', ...given] = words.filter((word) => !/^(?:set|get|unset)$/.test(word));
  if (GIT_SETTING.test(`${key}=`)) return [];
  return given.map((value) => value.replace(/^!/, ''));
}

/** Why the programs that git will start are unknown. */
function gitProblem(args: readonly ShellWord[]): string | undefined {
  const values = args.map((word) => word.value);
  for (let index = 0; index < values.length; index++) {
    const value = values[index];
    if (value === undefined) return 'the subcommand of git is known only at run time';
    if (!value.startsWith('-')) return subcommandProblem(value, values.slice(index));
    if (/^(?:-C|--git-dir|--work-tree|--namespace)$/.test(value)) index++;
    else if (value === '-c') {
      const setting = values[++index] ?? '';
      if (!GIT_SETTING.test(setting)) return `git -c ${setting} may start a program`;
    } else if (!GIT_GLOBAL.test(value)) return `git ${value} may start a program`;
  }
  return undefined;
}

function subcommandProblem(
  subcommand: string,
  values: readonly (string | undefined)[],
): string | undefined {
  const starts = values.some((value) => startsProgram(value ?? '', subcommand));
  const pager = subcommand === 'grep' && values.some((value) => /^-[a-zA-Z]*O/.test(value ?? ''));
  return starts || pager ? `git ${subcommand} starts a program` : undefined;
}

function startsProgram(value: string, subcommand: string): boolean {
  if (value.includes('ext::') || /^--\w+-filter/.test(value)) return true;
  // `git clone -u program`, `git clone -c setting`.
  if (subcommand === 'clone' && /^-[a-zA-Z]*[uc]|^--con/.test(value)) return true;
  const [name = ''] = value.split('=', 1);
  // Its text is read as a script.
  if (subcommand === 'rebase' && name === '--exec') return false;
  return (
    name.length > 2 && name.startsWith('--') && GIT_STARTS.some((known) => known.startsWith(name))
  );
}
