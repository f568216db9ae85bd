import { didYouMean } from '../../base/nearest.ts'
import type { FieldDefinition, ObjectDefinition } from '../../schema/definitions/definition.ts'
import { FIELD_TYPES } from '../../schema/fields/registry.ts'
import { type Checking, same } from './checking.ts'
import type { Problem } from './problem.ts'

function checkTargets({ objects }: Checking, field: FieldDefinition, path: Problem['path']): Problem[] {
  const names = [...objects.values()].map(({ name }) => name)
  return (field.to ?? [])
    .filter((target) => !objects.has(target.toLowerCase()))
    .map((target) => ({
      path: [...path, 'to'],
      message: `there is no object ${target}${didYouMean(target, names)}`,
    }))
}

/** The parent relationship name must be unique in the object, the child relationship name in each target. */
function checkNames({ object, objects }: Checking, field: FieldDefinition, path: Problem['path']): Problem[] {
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
    for (const child of objects.values()) {
      for (const other of child.fields) {
        const isSelf = child.name === object.name && other.name === field.name
        if (isSelf || other.children === undefined || !same(other.children, children)) continue
        if (!other.to?.some((name) => same(name, target))) continue
        const message = `${target} has children ${children} already: those of ${child.name}.${other.name}`
        problems.push({ path: [...path, 'children'], message })
      }
    }
  }
  return problems
}

const getMasters = (object: ObjectDefinition) =>
  object.fields.filter((field) => field.masterDetail !== undefined).flatMap((field) => field.to ?? [])

/** Whether an object is a direct or indirect detail of itself. No first record of it could be created. */
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
  const field = checking.object.fields.find((known) => same(known.name, name))!
  if (FIELD_TYPES[field.type].refers !== true) return []
  const problems = checkTargets(checking, field, path)
  if (problems.length > 0) return problems
  const wouldBeCleared =
    field.required && field.masterDetail === undefined && (field.onDelete ?? 'clear') === 'clear'
  if (wouldBeCleared && checking.standard === undefined) {
    problems.push({
      path: [...path, 'required'],
      message:
        'what should become of it when its target is deleted? A required reference cannot be cleared; write onDelete: cascade or onDelete: restrict',
    })
  }
  return [...problems, ...checkNames(checking, field, path), ...checkMaster(checking, field, path)]
}
