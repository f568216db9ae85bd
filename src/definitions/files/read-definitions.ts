import { getOrInsert } from '../../base/get-or-insert.ts'
import { didYouMean } from '../../base/nearest.ts'
import { drain } from '../../base/run-in-slices.ts'
import { isCustomObject } from '../../schema/definitions/custom-name.ts'
import type { ObjectDefinition } from '../../schema/definitions/definition.ts'
import { makeSnapshotInSlices } from '../../schema/snapshot/snapshot.ts'
import { findStandardObject, STANDARD_OBJECTS } from '../../standard/standard-objects.ts'
import { checkFormulas, definesFormulas } from '../checks/check-formulas.ts'
import { checkListViews } from '../checks/check-list-views.ts'
import { checkObject } from '../checks/check-object.ts'
import { checkPermissions } from '../checks/check-permissions.ts'
import { checkShape } from '../checks/check-shape.ts'
import { byName, collectNames, type OrgNames, same } from '../checks/checking.ts'
import { type Findings, gatherProblems, type Problem } from '../checks/problem.ts'
import type { DefinitionFiles } from '../formats/object-file.ts'
import { PERMISSION_KINDS } from '../formats/permission-rights.ts'
import { readCustomObject, readStandardObject } from './read-object.ts'

/** All objects after the deployment, and the problems found. Use the objects only when there are no problems. */
export interface Read {
  readonly objects: readonly ObjectDefinition[]
  readonly problems: readonly Problem[]
}

/** Checks file names: each is a custom object or a standard object. */
function* checkObjectNames(files: DefinitionFiles): Generator<Problem[]> {
  const names = Object.keys(files.objects)
  const seen = new Map<string, string>()
  for (const [at, name] of names.entries()) {
    const path = ['objects', name]
    const twin = getOrInsert(seen, name.toLowerCase(), () => name)
    const standard = findStandardObject(name)
    if (twin !== name) yield [{ path, message: `${twin} is the same object` }]
    else if (standard?.view !== undefined) {
      yield [{ path, message: `the platform makes all of ${standard.name}, so it has no file` }]
    } else if (standard !== undefined) {
      yield standard.name === name ? [] : [{ path, message: `the object is spelled ${standard.name}` }]
    } else if (isCustomObject(name)) yield []
    else {
      const known = [...STANDARD_OBJECTS.map((object) => object.name), ...names.slice(0, at)]
      const meant = didYouMean(name, known)
      yield [
        {
          path,
          message: `${name} is no standard object${meant}; an object of your own ends in __c, a metadata type in __mdt, a platform event in __e`,
        },
      ]
    }
  }
}

/** Checks that a file of a standard object names existing standard fields or custom fields. */
function* checkStandardFields(files: DefinitionFiles): Generator<Problem[]> {
  for (const [name, file] of Object.entries(files.objects)) {
    const standard = findStandardObject(name)
    if (standard === undefined) continue
    const known = standard.fields.map((field) => field.name)
    const unknown = Object.keys(file?.fields ?? {}).filter(
      (field) => !field.endsWith('__c') && !known.some((other) => same(other, field)),
    )
    for (const field of unknown) {
      const meant = didYouMean(field, known)
      const message = `${name} has no standard field ${field}${meant}; a field of your own ends in __c: ${field}__c`
      yield [{ path: ['objects', name, 'fields', field], message }]
    }
  }
}

function* readObjects({ objects, valueSets }: DefinitionFiles): Generator<void, ObjectDefinition[]> {
  const made: ObjectDefinition[] = STANDARD_OBJECTS.map((standard) =>
    Object.hasOwn(objects, standard.name)
      ? readStandardObject(standard, objects[standard.name]!, valueSets)
      : standard,
  )
  for (const [name, file] of Object.entries(objects)) {
    if (findStandardObject(name) === undefined) made.push(readCustomObject(name, file, valueSets))
    yield
  }
  return made
}

/**
 * Chooses the objects that files name, for an org that keeps what they do not name: its standard fields have all else as they have it.
 * @param objects what was read of the files
 */
export const chooseNamed =
  ({ objects: files, valueSets }: DefinitionFiles, objects: readonly ObjectDefinition[]) =>
  (known: readonly ObjectDefinition[]): ObjectDefinition[] => {
    const knownByName = new Map(known.map((object) => [object.name, object]))
    return objects
      .filter(({ name }) => Object.hasOwn(files, name))
      .map((object) => {
        const [standard, had] = [findStandardObject(object.name), knownByName.get(object.name)]
        if (standard === undefined || had === undefined) return object
        const fields = had.fields.filter(({ name }) =>
          standard.fields.some((field) => same(field.name, name)),
        )
        return readStandardObject({ ...had, fields }, files[object.name]!, valueSets)
      })
  }

function* checkObjects(files: DefinitionFiles, objects: readonly ObjectDefinition[], names: OrgNames) {
  const all = new Map(objects.map((object) => [object.name.toLowerCase(), object]))
  const valueSets = new Set(Object.keys(files.valueSets))
  for (const [name, file] of Object.entries(files.objects)) {
    const object = all.get(name.toLowerCase())!
    yield* checkObject({
      object,
      fields: byName(object.fields),
      file: file ?? {},
      objects: all,
      names,
      valueSets,
      standard: findStandardObject(name),
    })
  }
}

/** Chains what is looked for after each other. */
function* allOf(...findings: Findings[]): Generator<readonly Problem[]> {
  for (const some of findings) yield* some
}

/**
 * Makes all objects of an org: the standard objects with the changes of the files, and the custom objects. The result
 * depends on the files only, so a check without a server gives the same problems as a deployment. It may be thousands of
 * objects: takes a pause after each field.
 */
export function* readInSlices(files: DefinitionFiles): Generator<void, Read> {
  const shape = yield* checkShape(files)
  if (shape.length > 0) return { objects: [], problems: shape }
  const names = yield* gatherProblems(allOf(checkObjectNames(files), checkStandardFields(files)))
  if (names.length > 0) return { objects: [], problems: names }
  const objects = yield* readObjects(files)
  const problems = yield* gatherProblems(checkObjects(files, objects, yield* collectNames(objects)))
  if (problems.length > 0) return { objects, problems }
  const withViews = Object.entries(files.objects).filter(([, file]) => file?.listViews !== undefined)
  const hasPermissions = PERMISSION_KINDS.some((kind) => Object.keys(files[kind] ?? {}).length > 0)
  const hasFormulas = objects.some(definesFormulas)
  if (withViews.length === 0 && !hasPermissions && !hasFormulas) return { objects, problems }
  // List views are compiled as queries and permissions name fields, which requires valid objects. So do formulas.
  const schema = yield* makeSnapshotInSlices(0, new Date(0), objects)
  const named = new Set(withViews.map(([name]) => name.toLowerCase()))
  const findings = allOf(
    checkFormulas(files, schema),
    checkListViews(objects, schema, named),
    checkPermissions(files, schema),
  )
  return { objects, problems: yield* gatherProblems(findings) }
}

/** The same without a pause. */
export const readDefinitions = (files: DefinitionFiles): Read => drain(readInSlices(files))
