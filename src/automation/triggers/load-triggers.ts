import { existsSync, readdirSync } from 'node:fs'
import { join, parse, resolve } from 'node:path'
import type { Triggers } from '../../context.ts'
import { isModule, loadModule } from '../../scripting/threads/load-module.ts'
import { readTriggerModule, type TriggerModule } from '../modules/trigger-module.ts'
import { loadRules } from '../rules/load-rules.ts'
import { makeTriggers } from './make-triggers.ts'

/** The triggers of a deployment, and the files that they come from. */
export interface DeployedTriggers extends Triggers {
  readonly modules: readonly TriggerModule[]
}

/**
 * Loads the triggers of a deployment: the files in its folder `triggers` in the order of their names, then the rules
 * of its objects, which compute and validate the result of the triggers.
 * @throws Error with the file and its problem
 */
export async function loadTriggers(deployment: string): Promise<DeployedTriggers> {
  const folder = resolve(deployment, 'triggers')
  const names = existsSync(folder) ? readdirSync(folder).filter(isModule).sort() : []
  const named: TriggerModule[] = []
  for (const name of names) {
    const file = join(folder, name)
    named.push(readTriggerModule(parse(name).name, file, await loadModule('trigger', file)))
  }
  const modules = [...named, ...(await loadRules(deployment))]
  return { ...makeTriggers(modules), modules }
}
