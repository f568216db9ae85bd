import { existsSync, readdirSync } from 'node:fs'
import { join, parse, resolve } from 'node:path'
import { same } from '../../definitions/checks/checking.ts'
import { hasDefinitions } from '../../definitions/files/has-definitions.ts'
import type { ObjectDefinition } from '../../schema/definitions/definition.ts'
import { isModule, loadModule } from '../../scripting/threads/load-module.ts'
import { type RuleModule, readRuleModule } from '../modules/rule-module.ts'
import type { TriggerModule } from '../modules/trigger-module.ts'
import { runRules } from './run-rules.ts'

interface Loaded {
  readonly object: string
  readonly file: string
  readonly rules: RuleModule
}

async function loadAll(folder: string): Promise<Loaded[]> {
  const names = existsSync(folder) ? readdirSync(folder).filter(isModule).sort() : []
  const loaded: Loaded[] = []
  for (const name of names) {
    const file = join(folder, name)
    loaded.push({
      object: parse(name).name,
      file,
      rules: readRuleModule(file, await loadModule('rules', file)),
    })
  }
  return loaded
}

/** Checks that each computed field has a function, and each function a computed field. */
function checkComputed(loaded: readonly Loaded[], objects: readonly ObjectDefinition[]): void {
  for (const { object, file, rules } of loaded) {
    const fields = objects.find(({ name }) => same(name, object))?.fields ?? []
    for (const name of Object.keys(rules.computed)) {
      const field = fields.find((one) => same(one.name, name))
      if (field?.computed === true) continue
      throw new Error(
        `The rules ${file} compute ${name}, which ${object} does not have as a computed field; write computed: true in its definition`,
      )
    }
  }
  for (const { name, fields } of objects) {
    for (const field of fields.filter(({ computed }) => computed === true)) {
      const found = loaded.find(({ object }) => same(object, name))
      if (found !== undefined && Object.keys(found.rules.computed).some((one) => same(one, field.name)))
        continue
      throw new Error(
        `Nothing computes ${name}.${field.name}: write objects/${name}.ts with export default { computed: { ${field.name}: (record) => ... } }`,
      )
    }
  }
}

async function loadObjects(deployment: string): Promise<readonly ObjectDefinition[]> {
  if (!hasDefinitions(deployment)) return []
  const { loadDefinitions } = await import('../../definitions/files/load-definitions.ts')
  return loadDefinitions(deployment).objects
}

/**
 * Loads the rules of a deployment: the TypeScript files beside the definitions of its objects.
 * @throws Error with the file and its problem
 */
export async function loadRules(deployment: string): Promise<TriggerModule[]> {
  const loaded = await loadAll(resolve(deployment, 'objects'))
  checkComputed(loaded, await loadObjects(deployment))
  return loaded.map(({ object, file, rules }) => {
    const run = runRules(rules)
    return {
      name: object,
      file,
      object,
      handlers: { beforeInsert: run, beforeUpdate: run },
    }
  })
}
