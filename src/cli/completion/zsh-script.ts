import { allCommands, type CompletedCommand, patterns, quoted } from './command-tree.ts'

/** A name and what it is, as `_describe` takes them. */
const entry = (name: string, description: string) => quoted(`${name.replaceAll(':', '\\:')}:${description}`)

const entries = (list: readonly { readonly name: string; readonly description: string }[]) =>
  list.map(({ name, description }) => entry(name, description)).join(' ')

/** Completions for zsh, with descriptions. */
export function zshScript(tree: CompletedCommand): string {
  const all = allCommands(tree)
  const paths = all.filter(({ path }) => path !== '').map(({ path }) => path)
  const choices = all.flatMap(({ path, flags }) =>
    flags.flatMap(({ name, choices: list }) =>
      list.length === 0
        ? []
        : [`    ${quoted(`${path} ${name}`)}) compadd -- ${list.map(quoted).join(' ')}; return ;;`],
    ),
  )
  const values = all.flatMap(({ path, flags }) =>
    flags
      .filter(({ takesValue, choices: list }) => takesValue && list.length === 0)
      .map(({ name }) => `${path} ${name}`),
  )
  const commands = all.map(({ path, flags, values: list, children }) => {
    const names = [...children, ...list.map((name) => ({ name, description: name }))]
    return `    ${quoted(path)}) flags=(${entries(flags)}); names=(${entries(names)}) ;;`
  })
  return `#compdef objectry
# zsh completion of objectry: source <(objectry completion zsh)
_objectry() {
  local current=\${words[CURRENT]} previous=\${words[CURRENT-1]} command= word
  local -a flags names
  for word in "\${(@)words[2,CURRENT-1]}"; do
    case "$command $word" in
    ${patterns(paths)}) command+=" $word" ;;
    esac
  done
  case "$command $previous" in
${choices.join('\n')}
    ${patterns(values)}) _files; return ;;
  esac
  case "$command" in
${commands.join('\n')}
  esac
  if [[ $current == -* ]]; then _describe -o flag flags
  elif (( \${#names} )); then _describe command names
  else _files
  fi
}
compdef _objectry objectry
`
}
