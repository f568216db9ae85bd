import { shellQuoted } from '../result/terminal-text.ts'
import { type CompletedCommand, cases } from './command-tree.ts'

/** A name and what it is, as `_describe` takes them. */
const entry = (name: string, description: string) =>
  shellQuoted(`${name.replaceAll(':', '\\:')}:${description}`)

const entries = (list: readonly { readonly name: string; readonly description: string }[]) =>
  list.map(({ name, description }) => entry(name, description)).join(' ')

/** Completions for zsh, with descriptions. */
export function zshScript(tree: CompletedCommand): string {
  const { all, commands: names, withChoices, withValue } = cases(tree)
  const choiceLines = withChoices.map(
    ({ at, choices }) =>
      `    ${shellQuoted(at)}) compadd -- ${choices.map(shellQuoted).join(' ')}; return ;;`,
  )
  const commandLines = all.map(({ path, flags, values: list, children }) => {
    const own = [...children, ...list.map((name) => ({ name, description: name }))]
    return `    ${shellQuoted(path)}) flags=(${entries(flags)}); names=(${entries(own)}) ;;`
  })
  return `#compdef objectry
# zsh completion of objectry: source <(objectry completion zsh)
_objectry() {
  local current=\${words[CURRENT]} previous=\${words[CURRENT-1]} command= word
  local -a flags names
  for word in "\${(@)words[2,CURRENT-1]}"; do
    case "$command $word" in
    ${names}) command+=" $word" ;;
    esac
  done
  case "$command $previous" in
${choiceLines.join('\n')}
    ${withValue}) _files; return ;;
  esac
  case "$command" in
${commandLines.join('\n')}
  esac
  if [[ $current == -* ]]; then _describe -o flag flags
  elif (( \${#names} )); then _describe command names
  else _files
  fi
}
compdef _objectry objectry
`
}
