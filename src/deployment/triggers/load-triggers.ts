import { existsSync, readdirSync } from 'node:fs'
import { join, parse, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Triggers } from '../../context.ts'
import { makeTriggers } from './make-triggers.ts'
import { readTriggerModule, type TriggerModule } from './trigger-module.ts'

const isTriggerFile = (name: string) => /\.(ts|mts|js|mjs)$/.test(name) && !/\.d\.m?ts$/.test(name)

/** Node runs the file as it is; a message of its own has the place of what it does not understand. */
async function loadOne(file: string): Promise<TriggerModule> {
  const { name } = parse(file)
  let loaded: { default?: unknown }
  try {
    loaded = await import(pathToFileURL(file).href)
  } catch (error) {
    const reason = error instanceof Error ? (error.stack ?? error.message) : String(error)
    throw new Error(`The trigger ${file} cannot be loaded: ${reason.split('\n    at ')[0]}`, { cause: error })
  }
  return readTriggerModule(name, file, loaded.default)
}

/**
 * The triggers of a deployment: the files of its folder `triggers`, in the order of their names.
 * @throws Error that names the file and says what is wrong with it
 */
export async function loadTriggers(deployment: string): Promise<Triggers> {
  const folder = resolve(deployment, 'triggers')
  const names = existsSync(folder) ? readdirSync(folder).filter(isTriggerFile).sort() : []
  const modules: TriggerModule[] = []
  for (const name of names) modules.push(await loadOne(join(folder, name)))
  return makeTriggers(modules)
}
