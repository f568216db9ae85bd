import { allCommands, type CompletedCommand } from './command-tree.ts'

/** A text in single quotes, as fish reads it. */
const quoted = (text: string) => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`

function commandLines({ path, flags, values, children }: CompletedCommand): string[] {
  const at = `complete -c objectry -n ${quoted(`__objectry_at ${quoted(path)}`)}`
  const files = children.length > 0 || values.length > 0 ? ' -f' : ''
  return [
    ...children.map(({ name, description }) => `${at} -f -a ${name} -d ${quoted(description)}`),
    ...values.map((value) => `${at} -f -a ${value}`),
    ...flags.map(({ name, description, takesValue, choices }) => {
      const flag = name.startsWith('--') ? `-l ${name.slice(2)}` : `-s ${name.slice(1)}`
      const value = choices.length > 0 ? ` -x -a ${quoted(choices.join(' '))}` : takesValue ? ' -r' : files
      return `${at} ${flag}${value} -d ${quoted(description)}`
    }),
  ]
}

/** Completions for fish, with descriptions. */
export function fishScript(tree: CompletedCommand): string {
  const all = allCommands(tree)
  const paths = all.filter(({ path }) => path !== '').map(({ path }) => quoted(path))
  return `# fish completion of objectry: objectry completion fish | source
set -g __objectry_commands ${paths.join(' ')}
function __objectry_at
    set -l command
    for word in (commandline -opc)[2..]
        contains -- "$command $word" $__objectry_commands; and set command "$command $word"
    end
    test "$command" = "$argv[1]"
end
${all.flatMap(commandLines).join('\n')}
`
}
