import type { Command, CommanderError, OutputConfiguration } from 'commander'
import { nearest } from '../../base/nearest.ts'
import { CommandEnd, USED_WRONGLY } from './exit-codes.ts'
import { errorText } from './styled-text.ts'
import type { Output, Terminal } from './terminal.ts'

/** How wide the list of commands below an error is, in columns. */
const LIST_WIDTH = 80

/** Words on as many lines as they need. */
function wrap(words: readonly string[], width: number): string[] {
  const lines: string[] = []
  for (const word of words) {
    const longer = `${lines.at(-1)} ${word}`
    if (lines.length > 0 && longer.length <= width) lines[lines.length - 1] = longer
    else lines.push(word)
  }
  return lines
}

/** `objectry org`: what is typed to reach a command. */
const fullName = (command: Command): string =>
  command.parent === null ? command.name() : `${fullName(command.parent)} ${command.name()}`

/** Ends with the name that may have been meant, and the names that there are. */
function refuseUnknown(command: Command, unknown: string): never {
  const names = command
    .createHelp()
    .visibleCommands(command)
    .map((one) => one.name())
  const meant = nearest(unknown, names)
  const lines = [
    `error: unknown command '${unknown}'`,
    ...(meant === undefined ? [] : [`(Did you mean ${meant}?)`]),
    '',
    'Commands:',
    ...wrap(names, LIST_WIDTH - 2).map((line) => `  ${line}`),
    `What they do: ${fullName(command)} --help`,
  ]
  command.error(lines.join('\n'), { exitCode: USED_WRONGLY, code: 'commander.unknownCommand' })
}

/** Ends where the default command was given words that it has no use for: a command behind flags, or a wrong one. */
function refuseExtra(program: Command, extra: string): never {
  if (!program.commands.some((command) => command.name() === extra)) refuseUnknown(program, extra)
  const message = `error: '${extra}' stands behind flags, where it is no command. Put it first: ${program.name()} ${extra} ...`
  program.error(message, { exitCode: USED_WRONGLY, code: 'commander.excessArguments' })
}

/** Ends where an argument is empty, as of a variable that is not set: none of them may be. */
function refuseEmpty(command: Command): void {
  const at = command.args.indexOf('')
  const argument = command.registeredArguments[Math.min(at, command.registeredArguments.length - 1)]
  if (at < 0 || argument === undefined) return
  const message = `error: the argument '${argument.name()}' of '${fullName(command)}' is empty`
  command.error(message, { exitCode: USED_WRONGLY, code: 'commander.invalidArgument' })
}

/** Help that was asked for and the version end with 0, everything else that the parser ends with is a mistake. */
function exit({ exitCode }: CommanderError): never {
  throw new CommandEnd(exitCode === 0 ? 0 : USED_WRONGLY)
}

/** How wide help is; commander has a width for what is no terminal. */
const helpWidth = ({ isTTY, columns }: Output) => (isTTY ? columns : undefined) as number

/** Lets commander write to the terminal. */
function makeOutput(terminal: Terminal): OutputConfiguration {
  const { stdout, stderr } = terminal
  return {
    writeOut: (text) => stdout.write(text),
    writeErr: (text) => stderr.write(text),
    getOutHelpWidth: () => helpWidth(stdout),
    getErrHelpWidth: () => helpWidth(stderr),
    outputError: (text, write) => write(text.replace(/^.+/, (line) => errorText(terminal, line))),
  }
}

/** A command and all below it. */
function* eachCommand(command: Command): Generator<Command> {
  yield command
  for (const child of command.commands) yield* eachCommand(child)
}

/**
 * Lets a program that is used wrongly end with its own exit code, and name the commands that there are. The default
 * command would else take every unknown one for its argument.
 */
export function refuseWrongUse(program: Command, terminal: Terminal): void {
  const output = makeOutput(terminal)
  for (const command of eachCommand(program)) {
    command.exitOverride(exit)
    command.configureOutput(output)
    if (command.commands.length > 0)
      command.on('command:*', ([unknown]: readonly string[]) => refuseUnknown(command, unknown!))
  }
  program.hook('preSubcommand', (_, subcommand) => {
    const [first] = program.args
    if (first !== undefined && !first.startsWith('-') && first !== subcommand.name())
      refuseUnknown(program, first)
    const isNamed = first === subcommand.name()
    if (!isNamed) subcommand.allowExcessArguments()
  })
  program.hook('preAction', (_, command) => {
    const [extra] = command.args
    if (command.parent === program && command.registeredArguments.length === 0 && extra !== undefined)
      refuseExtra(program, extra)
    refuseEmpty(command)
  })
}
