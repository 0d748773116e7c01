import { FLAGS } from '../arguments/flags.ts';
import { EXIT } from '../exit-code.ts';
import type { Output } from '../output.ts';
import { UsageError } from '../usage-error.ts';
import { COMMAND_WORDS } from './command-help.ts';

const SHELLS = { bash, zsh, fish } as const;

/** `robota completion bash|zsh|fish`: a script that completes commands, subcommands and flags. */
export async function runCompletion(args: readonly string[], output: Output): Promise<number> {
  const [shell = ''] = args;
  if (!Object.hasOwn(SHELLS, shell)) {
    throw new UsageError('Usage: robota completion bash|zsh|fish');
  }
  output.out.write(SHELLS[shell as keyof typeof SHELLS]());
  return EXIT.done;
}

/** Values of flags with a fixed set of values. */
const VALUES: Readonly<Record<string, readonly string[]>> = {
  'output-format': ['text', 'json', 'stream-json'],
  'input-format': ['text', 'stream-json'],
  'permission-mode': ['plan', 'default', 'acceptEdits', 'bypassPermissions'],
  provider: ['anthropic', 'openai', 'google', 'ollama', 'demo'],
  sandbox: ['on', 'auto', 'off'],
};

const commands = () => Object.keys(COMMAND_WORDS);
const flags = () => Object.keys(FLAGS).map((name) => `--${name}`);

function bash(): string {
  const verbs = Object.entries(COMMAND_WORDS)
    .filter(([, words]) => words.length > 0)
    .map(([command, words]) => `    ${command}) words="${words.join(' ')}" ;;`);
  const values = Object.entries(VALUES).map(
    ([flag, words]) =>
      `    --${flag}) COMPREPLY=($(compgen -W "${words.join(' ')}" -- "$word")); return ;;`,
  );
  return `# robota completion for bash: eval "$(robota completion bash)"
_robota() {
  local word="\${COMP_WORDS[COMP_CWORD]}" before="\${COMP_WORDS[COMP_CWORD-1]}" words=""
  COMPREPLY=()
  case "$before" in
${values.join('\n')}
    --add-dir) COMPREPLY=($(compgen -d -- "$word")); return ;;
    --mcp-config) COMPREPLY=($(compgen -f -- "$word")); return ;;
  esac
  if [[ "$word" == -* ]]; then
    COMPREPLY=($(compgen -W "${flags().join(' ')}" -- "$word"))
    return
  fi
  if [[ $COMP_CWORD -eq 1 ]]; then
    COMPREPLY=($(compgen -W "${commands().join(' ')}" -- "$word"))
    return
  fi
  [[ $COMP_CWORD -eq 2 ]] || return
  case "\${COMP_WORDS[1]}" in
${verbs.join('\n')}
  esac
  COMPREPLY=($(compgen -W "$words" -- "$word"))
}
complete -o default -F _robota robota
`;
}

function zsh(): string {
  const verbs = Object.entries(COMMAND_WORDS)
    .filter(([, words]) => words.length > 0)
    .map(([command, words]) => `    ${command}) compadd -- ${words.join(' ')} ;;`);
  const values = Object.entries(VALUES).map(
    ([flag, words]) => `    --${flag}) compadd -- ${words.join(' ')}; return ;;`,
  );
  return `#compdef robota
# robota completion for zsh: eval "$(robota completion zsh)"
_robota() {
  case "\${words[CURRENT-1]}" in
${values.join('\n')}
    --add-dir) _files -/; return ;;
    --mcp-config) _files; return ;;
  esac
  if [[ "\${words[CURRENT]}" == -* ]]; then
    compadd -- ${flags().join(' ')}
    return
  fi
  if (( CURRENT == 2 )); then
    compadd -- ${commands().join(' ')}
    return
  fi
  (( CURRENT == 3 )) || return
  case "\${words[2]}" in
${verbs.join('\n')}
  esac
}
compdef _robota robota
`;
}

function fish(): string {
  const lines = [
    '# robota completion for fish: robota completion fish | source',
    `complete -c robota -n __fish_use_subcommand -a '${commands().join(' ')}'`,
    ...Object.entries(COMMAND_WORDS)
      .filter(([, words]) => words.length > 0)
      .map(
        ([command, words]) =>
          `complete -c robota -n '__fish_seen_subcommand_from ${command}' -a '${words.join(' ')}'`,
      ),
    ...Object.entries(FLAGS).map(([name, flag]) => {
      const short = 'short' in flag ? ` -s ${flag.short}` : '';
      const words = VALUES[name];
      const value =
        flag.type === 'boolean' ? '' : ` -r${words ? ` -f -a '${words.join(' ')}'` : ''}`;
      return `complete -c robota -l ${name}${short}${value}`;
    }),
  ];
  return `${lines.join('\n')}\n`;
}
