import { didYouMean } from '../../base/nearest.ts'
import { isEventObject, isMetadataType } from '../../schema/definitions/custom-name.ts'
import type { ObjectDefinition } from '../../schema/definitions/definition.ts'
import type { FieldDefinition } from '../../schema/fields/field-definition.ts'
import { FIELD_TYPES } from '../../schema/fields/registry.ts'
import { type Checking, childKey, same } from './checking.ts'
import type { Problem } from './problem.ts'

/** Maximum number of missing targets of a field that are reported. */
const MAX_MISSING = 5

function checkTargets(
  { object, objects }: Checking,
  field: FieldDefinition,
  path: Problem['path'],
): Problem[] {
  const targets = field.to ?? []
  const events = targets.filter(isEventObject)
  if (events.length > 0) {
    const message = `${events.join(', ')} is published and not kept: there is nothing to refer to`
    return [{ path: [...path, 'to'], message }]
  }
  const made = targets.filter((target) => objects.get(target.toLowerCase())?.view !== undefined)
  if (made.length > 0 && field.name.endsWith('__c')) {
    const message = `records of ${made.join(', ')} are made by the platform: a field of your own cannot refer to them`
    return [{ path: [...path, 'to'], message }]
  }
  const types = targets.filter((target) => isMetadataType(target))
  if (types.length > 0 && !isMetadataType(object.name)) {
    const message = `records of ${types.join(', ')} come and go with deployments: only metadata types refer to them`
    return [{ path: [...path, 'to'], message }]
  }
  const missing = targets.filter((target) => !objects.has(target.toLowerCase()))
  if (missing.length === 0) return []
  const names = [...objects.values()].map(({ name }) => name)
  // A hint takes the time of all names.
  return missing.slice(0, MAX_MISSING).map((target) => ({
    path: [...path, 'to'],
    message: `there is no object ${target}${didYouMean(target, names)}`,
  }))
}

/** The parent relationship name must be unique in the object, the child relationship name in each target. */
function checkNames({ object, names }: Checking, field: FieldDefinition, path: Problem['path']): Problem[] {
  const problems: Problem[] = []
  const { relationship, children } = field
  const isName = (name: string) => /^[A-Za-z]\w*$/.test(name)
  if (relationship !== undefined) {
    const other = object.fields.find(
      (known) =>
        known !== field && (same(known.relationship ?? '', relationship) || same(known.name, relationship)),
    )
    const message = isName(relationship) ? other && `${other.name} has this name too` : 'is no name'
    if (message) problems.push({ path: [...path, 'relationship'], message: `${relationship}: ${message}` })
  }
  if (children === undefined) return problems
  if (!isName(children))
    return [...problems, { path: [...path, 'children'], message: `${children}: is no name` }]
  for (const target of field.to ?? []) {
    const twin = names.children
      .get(childKey(target, children))
      ?.find((other) => other.object.name !== object.name || other.field.name !== field.name)
    if (twin === undefined) continue
    const message = `${target} has children ${children} already: those of ${twin.object.name}.${twin.field.name}`
    problems.push({ path: [...path, 'children'], message })
  }
  return problems
}

const getMasters = (object: ObjectDefinition) =>
  object.fields.filter((field) => field.masterDetail !== undefined).flatMap((field) => field.to ?? [])

/** True if an object is a direct or indirect detail of itself. No first record of it could be created. */
function isOwnMaster({ object, objects }: Checking): boolean {
  const seen = new Set<string>()
  const open = getMasters(object)
  while (open.length > 0) {
    const name = open.pop()!.toLowerCase()
    if (name === object.name.toLowerCase()) return true
    if (seen.has(name)) continue
    seen.add(name)
    const master = objects.get(name)
    if (master !== undefined) open.push(...getMasters(master))
  }
  return false
}

function checkMaster(checking: Checking, field: FieldDefinition, path: Problem['path']): Problem[] {
  const { object } = checking
  const problem = (property: string, message: string): Problem[] => [{ path: [...path, property], message }]
  if (field.masterDetail === undefined) {
    return field.reparentable ? problem('reparentable', 'is for details of a master only') : []
  }
  if (field.to?.length !== 1) return problem('to', 'a master is one object')
  if (field.onDelete !== undefined && field.onDelete !== 'cascade') {
    return problem('onDelete', 'a detail goes with its master')
  }
  const twin = object.fields.find((other) => other !== field && other.masterDetail === field.masterDetail)
  if (twin !== undefined)
    return problem('masterDetail', `${twin.name} is master ${field.masterDetail} already`)
  if (field.masterDetail === 1 && !object.fields.some((other) => other.masterDetail === 0)) {
    return problem('masterDetail', 'there is no first master; write 0')
  }
  return isOwnMaster(checking) ? problem('to', `${object.name} would be a detail of itself`) : []
}

/** Finds problems in a reference field. */
export function checkReference(checking: Checking, name: string, path: Problem['path']): Problem[] {
  const field = checking.fields.get(name.toLowerCase())!
  if (FIELD_TYPES[field.type].refers !== true) return []
  const problems = checkTargets(checking, field, path)
  if (problems.length > 0) return problems
  const wouldBeCleared =
    field.required && field.masterDetail === undefined && (field.onDelete ?? 'clear') === 'clear'
  if (wouldBeCleared && checking.standard === undefined && !isMetadataType(checking.object.name)) {
    problems.push({
      path: [...path, 'required'],
      message:
        'what should become of it when its target is deleted? A required reference cannot be cleared; write onDelete: cascade or onDelete: restrict',
    })
  }
  return [...problems, ...checkNames(checking, field, path), ...checkMaster(checking, field, path)]
}
