import { print, usageFault } from '@darkroom-service/darkroom/kernel-cli';
import type { Command } from 'commander';

const SHELLS = ['bash', 'zsh'];

/** Prints a script that completes the commands and options of a program. @throws CommandFault for another shell */
export function printCompletion(program: Command, shell: string): void {
  if (!SHELLS.includes(shell)) throw usageFault(`<shell>: expected ${SHELLS.join(' or ')}, found '${shell}'`);
  // zsh runs the completions of bash.
  print(`${shell === 'zsh' ? 'autoload -U +X bashcompinit && bashcompinit\n' : ''}${scriptOf(program)}`);
}

/** Returns the script: the words before the cursor lead to a command, whose own words are offered. */
function scriptOf(program: Command): string {
  const name = program.name();
  const commands = [...allCommands(program)];
  const paths = commands.map(({ path }) => `"${path}"`).filter((path) => path !== '""');
  return `_${name}() {
  local path="" word words
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case "$path $word" in
      ${paths.join('|')}) path="$path $word" ;;
    esac
  done
  case "$path" in
${commands.map(({ path, words }) => `    "${path}") words="${words.join(' ')}" ;;`).join('\n')}
  esac
  if [[ $path == " call" ]]; then words="$words $(${name} call --plain 2>/dev/null)"; fi
  COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _${name} ${name}`;
}

function* allCommands(command: Command, path = ''): Generator<{ path: string; words: string[] }> {
  const options = command.options.flatMap(({ long }) => long ?? []);
  yield { path, words: [...command.commands.map((inner) => inner.name()), ...options, '--help'] };
  for (const inner of command.commands) yield* allCommands(inner, `${path} ${inner.name()}`);
}
