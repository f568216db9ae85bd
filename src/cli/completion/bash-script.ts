import { allCommands, type CompletedCommand, patterns, quoted } from './command-tree.ts'

const words = (list: readonly string[]) => quoted(list.join(' '))

/** Completions for bash 4 and newer. */
export function bashScript(tree: CompletedCommand): string {
  const all = allCommands(tree)
  const paths = all.filter(({ path }) => path !== '').map(({ path }) => path)
  const choices = all.flatMap(({ path, flags }) =>
    flags.flatMap(({ name, choices: list }) =>
      list.length === 0 ? [] : [`    ${quoted(`${path} ${name}`)}) words=${words(list)} ;;`],
    ),
  )
  const values = all.flatMap(({ path, flags }) =>
    flags
      .filter(({ takesValue, choices: list }) => takesValue && list.length === 0)
      .map(({ name }) => `${path} ${name}`),
  )
  const commands = all.map(({ path, flags, values: list, children }) => {
    const names = [...children.map(({ name }) => name), ...list]
    const flagWords = words(flags.map(({ name }) => name))
    return `    ${quoted(path)}) flags=${flagWords}; words=${words(names)} ;;`
  })
  return `# bash completion of objectry: source <(objectry completion bash)
_objectry() {
  local cur=\${COMP_WORDS[COMP_CWORD]} previous=\${COMP_WORDS[COMP_CWORD-1]} command= flags= words= word
  COMPREPLY=()
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case "$command $word" in
    ${patterns(paths)}) command+=" $word" ;;
    esac
  done
  case "$command $previous" in
${choices.join('\n')}
    ${patterns(values)}) compopt -o default; return ;;
  esac
  if [[ -z $words ]]; then
    case "$command" in
${commands.join('\n')}
    esac
    [[ $cur == -* ]] && words=$flags
  fi
  if [[ -z $words ]]; then compopt -o default; return; fi
  COMPREPLY=($(compgen -W "$words" -- "$cur"))
}
complete -F _objectry objectry
`
}
