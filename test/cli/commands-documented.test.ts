import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Command } from 'commander'
import { findInstallation } from '../../src/cli/command/installation.ts'
import { makeProgram } from '../../src/cli/program.ts'
import { SETTINGS } from '../../src/config/settings.ts'
import { codeIn, tableRows } from '../modules/documented-tables.ts'
import { ON_EMBEDDED } from '../support/engine.ts'
import { TestTerminal } from '../support/run-command.ts'

/** `--org` and the flags of settings, which settings.md has. */
const SHARED: ReadonlySet<string> = new Set([
  '--org',
  ...Object.values(SETTINGS).map(({ flag }) => `--${flag}`),
])

/** A command as the page has it: what is typed, its own flags, what it does. */
function rowsOf(command: Command, above: readonly string[] = []): string[][] {
  if (command.commands.length > 0)
    return command.commands.flatMap((child) => rowsOf(child, [...above, child.name()]))
  const args = command.registeredArguments.map((argument) => {
    const name = argument.name() + (argument.variadic ? '...' : '')
    return argument.required ? `<${name}>` : `[${name}]`
  })
  const flags = command.options.filter(({ long }) => !SHARED.has(long!)).map(({ long }) => `\`${long}\``)
  return [[[...above, ...args].join(' '), flags.join(', '), command.description()]]
}

test(
  'every command stands on the reference page in its order, with its flags and what it does',
  ON_EMBEDDED,
  () => {
    const rows = rowsOf(makeProgram(findInstallation(), new TestTerminal(), []))
    const documented = tableRows('reference/command-line.md')
      .filter((cells) => cells.length === 3)
      .map(([command, ...rest]) => [codeIn(command!), ...rest])
    const names = new Set(rows.map(([command]) => command))
    assert.deepEqual(
      documented.filter(([command]) => names.has(command!)),
      rows,
    )
  },
)
