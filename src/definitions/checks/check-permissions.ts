import { didYouMean } from '../../base/nearest.ts'
import type { ObjectType } from '../../schema/objects/object-type.ts'
import type { SchemaSnapshot } from '../../schema/snapshot/snapshot.ts'
import type { DefinitionFiles } from '../formats/object-file.ts'
import { isGrantable, isGrantableField, PERMISSION_KINDS } from '../formats/permission-rights.ts'
import type { Problem } from './problem.ts'

/** Why nothing can be granted on an object of this name, as a phrase; undefined when it can. */
function findObjectProblem(schema: SchemaSnapshot, name: string): string | undefined {
  const object = schema.object(name)
  if (object === undefined) {
    const names = schema.objects.map((known) => known.name)
    return `there is no object ${name.slice(0, 80)}${didYouMean(name, names)}`
  }
  if (object.name !== name) return `the object is spelled ${object.name}`
  return isGrantable(object.definition)
    ? undefined
    : `system permissions decide about the records of ${name}; take it out`
}

function findNameProblem(object: ObjectType, name: string): string | undefined {
  const field = object.field(name)
  if (field === undefined) {
    const names = object.fields.map((known) => known.name)
    return `${object.name} has no field ${name.slice(0, 80)}${didYouMean(name, names)}`
  }
  if (field.name !== name) return `the field is spelled ${object.name}.${field.name}`
  return isGrantableField(field) ? undefined : `${object.name}.${name} comes with its object; take it out`
}

/** Why a field cannot be granted; undefined when it can. */
function findFieldProblem(schema: SchemaSnapshot, path: string): string | undefined {
  const at = path.indexOf('.')
  if (at <= 0) return `"${path.slice(0, 80)}" names no object; write it before the field: Account.Industry`
  const object = path.slice(0, at)
  return findObjectProblem(schema, object) ?? findNameProblem(schema.object(object)!, path.slice(at + 1))
}

/** Finds permissions on what is not there, or cannot be granted. */
export function* checkPermissions(files: DefinitionFiles, schema: SchemaSnapshot): Generator<Problem[]> {
  const found = (path: Problem['path'], message: string | undefined) =>
    message === undefined ? [] : [{ path, message }]
  for (const kind of PERMISSION_KINDS) {
    for (const [name, file] of Object.entries(files[kind] ?? {})) {
      for (const object of Object.keys(file?.objects ?? {})) {
        yield found([kind, name, 'objects', object], findObjectProblem(schema, object))
      }
      for (const field of Object.keys(file?.fields ?? {})) {
        yield found([kind, name, 'fields', field], findFieldProblem(schema, field))
      }
    }
  }
}
