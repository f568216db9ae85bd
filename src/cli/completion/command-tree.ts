import type { Command, Option } from 'commander'
import { shellQuoted } from '../result/terminal-text.ts'

/** A flag as a shell completes it. */
interface CompletedFlag {
  /** `--format`, or `-V` where there is no long one. */
  readonly name: string
  readonly description: string
  readonly takesValue: boolean
  readonly choices: readonly string[]
}

/** A command or a group of them. */
export interface CompletedCommand {
  /** Words behind `objectry`, with a blank before each: ` org create`; empty for the program. */
  readonly path: string
  readonly name: string
  readonly description: string
  readonly flags: readonly CompletedFlag[]
  /** Allowed arguments; empty if any are. */
  readonly values: readonly string[]
  readonly children: readonly CompletedCommand[]
}

/** The part of a description before its parentheses is enough for one line. */
const inShort = (text: string) => text.split(/ \(|;|\. /, 1)[0]!.replace(/\.$/, '')

const makeFlag = ({ long, short, description, required, optional, argChoices }: Option): CompletedFlag => ({
  name: long ?? short!,
  description: inShort(description),
  takesValue: required || optional,
  choices: argChoices ?? [],
})

function makeCommand(command: Command, path: string): CompletedCommand {
  const help = command.createHelp()
  const children = help.visibleCommands(command)
  return {
    path,
    name: command.name(),
    description: inShort(command.description()),
    flags: help.visibleOptions(command).map(makeFlag),
    values: command.registeredArguments.flatMap(({ argChoices }) => argChoices ?? []),
    children: children.map((child) => makeCommand(child, `${path} ${child.name()}`)),
  }
}

/** The tree that shells complete: the program has the flags of its default command. */
export function makeTree(program: Command): CompletedCommand {
  const tree = makeCommand(program, '')
  const serve = tree.children.find(({ name }) => name === 'serve')
  const own = new Set(tree.flags.map(({ name }) => name))
  const more = serve?.flags.filter(({ name }) => !own.has(name)) ?? []
  return { ...tree, flags: [...tree.flags, ...more] }
}

/** The command and all below it. */
export const allCommands = (command: CompletedCommand): CompletedCommand[] => [
  command,
  ...command.children.flatMap(allCommands),
]

/** Patterns of a case of bash and zsh: `'a'|'b'`. */
const patterns = (texts: readonly string[]) => texts.map(shellQuoted).join('|')

/** The cases of bash and zsh are by the command and the word before the one that is completed. */
export function cases(tree: CompletedCommand) {
  const all = allCommands(tree)
  const flags = all.flatMap(({ path, flags: own }) =>
    own.map((flag) => ({ ...flag, at: `${path} ${flag.name}` })),
  )
  return {
    all,
    /** Patterns of the commands, but the program itself. */
    commands: patterns(all.filter(({ path }) => path !== '').map(({ path }) => path)),
    /** Flags with a value that is one of a few. */
    withChoices: flags.filter(({ choices }) => choices.length > 0),
    /** Patterns of the flags with any other value. */
    withValue: patterns(
      flags.filter(({ takesValue, choices }) => takesValue && choices.length === 0).map(({ at }) => at),
    ),
  }
}
