import { shellQuoted } from '../result/terminal-text.ts'
import { type CompletedCommand, cases } from './command-tree.ts'

const words = (list: readonly string[]) => shellQuoted(list.join(' '))

/** Completions for bash 4 and newer. */
export function bashScript(tree: CompletedCommand): string {
  const { all, commands: names, withChoices, withValue } = cases(tree)
  const choiceLines = withChoices.map(
    ({ at, choices }) => `    ${shellQuoted(at)}) words=${words(choices)} ;;`,
  )
  const commandLines = all.map(({ path, flags, values: list, children }) => {
    const own = [...children.map(({ name }) => name), ...list]
    const flagWords = words(flags.map(({ name }) => name))
    return `    ${shellQuoted(path)}) flags=${flagWords}; words=${words(own)} ;;`
  })
  return `# bash completion of objectry: source <(objectry completion bash)
_objectry() {
  local cur=\${COMP_WORDS[COMP_CWORD]} previous=\${COMP_WORDS[COMP_CWORD-1]} command= flags= words= word
  COMPREPLY=()
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case "$command $word" in
    ${names}) command+=" $word" ;;
    esac
  done
  case "$command $previous" in
${choiceLines.join('\n')}
    ${withValue}) compopt -o default; return ;;
  esac
  if [[ -z $words ]]; then
    case "$command" in
${commandLines.join('\n')}
    esac
    [[ $cur == -* ]] && words=$flags
  fi
  if [[ -z $words ]]; then compopt -o default; return; fi
  COMPREPLY=($(compgen -W "$words" -- "$cur"))
}
complete -F _objectry objectry
`
}
