import type { Command } from 'commander'
import { type Config, readConfig } from '../../config/config.ts'
import { BARE_FLAGS, SETTINGS, type SettingName } from '../../config/settings.ts'
import type { Terminal } from './terminal.ts'

/** The flags of a command as commander gives them: by their names in camel case. */
export type Flags = Readonly<Record<string, string | boolean | number | readonly string[] | undefined>> & {
  readonly org?: string
}

const NAMES = Object.keys(SETTINGS) as SettingName[]

const camelCase = (flag: string) => flag.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase())

/** Gives a command a flag for each of the settings. */
export function addSettingFlags(command: Command, names: readonly SettingName[] = NAMES): Command {
  for (const name of names) {
    const { flag, variable, meaning, default: fallback } = SETTINGS[name]
    const shown = fallback === undefined ? '' : `, default ${fallback}`
    const value = BARE_FLAGS.includes(name) ? '[value]' : '<value>'
    command.option(`--${flag} ${value}`, `${meaning} (${variable}${shown})`)
  }
  return command
}

/** The settings that say where an org is, and which of several it is. */
export function addOrgFlags(command: Command, more: readonly SettingName[] = []): Command {
  const described = command.option('--org <name>', 'which org, by name or id; default the first one')
  return addSettingFlags(described, ['databaseUrl', 'data', ...more])
}

/** A flag that stands alone is `true`. */
const textOf = (flag: Flags[string]) => (flag === undefined ? undefined : String(flag))

/**
 * The settings from the flags of a command and the environment.
 * @throws ConfigError
 */
export function configFrom({ environment }: Terminal, flags: Flags): Config {
  const texts = NAMES.map((name) => [name, textOf(flags[camelCase(SETTINGS[name].flag)])] as const)
  return readConfig(environment, Object.fromEntries(texts))
}
