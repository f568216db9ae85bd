import { didYouMean } from '../../base/nearest.ts'
import type { ObjectDefinition } from '../../schema/definitions/definition.ts'
import { STANDARD_OBJECTS } from '../../standard/standard-objects.ts'
import { checkListViews } from './check-list-views.ts'
import { checkObject } from './check-object.ts'
import { checkShape } from './check-shape.ts'
import { same } from './checking.ts'
import type { DefinitionFiles, ObjectFile } from './object-file.ts'
import type { Problem } from './problem.ts'
import { readCustomObject, readStandardObject } from './read-object.ts'

/** All objects after the deployment, and the problems found. Use the objects only when there are no problems. */
export interface Read {
  readonly objects: readonly ObjectDefinition[]
  readonly problems: readonly Problem[]
}

const findStandard = (name: string) => STANDARD_OBJECTS.find((object) => same(object.name, name))

/** Checks file names: each is a custom object or a standard object. */
function checkObjectNames(files: DefinitionFiles): Problem[] {
  const names = Object.keys(files.objects)
  return names.flatMap((name, at) => {
    const path = ['objects', name]
    const twin = names.findIndex((other) => same(other, name))
    if (twin < at) return [{ path, message: `${names[twin]} is the same object` }]
    const standard = findStandard(name)
    if (standard !== undefined) {
      return standard.name === name ? [] : [{ path, message: `the object is spelled ${standard.name}` }]
    }
    if (name.endsWith('__c')) return []
    const meant = didYouMean(name, [...STANDARD_OBJECTS.map((object) => object.name), ...names.slice(0, at)])
    return [{ path, message: `${name} is no standard object${meant}; an object of your own ends in __c` }]
  })
}

/** Checks that a file of a standard object names existing standard fields or custom fields. */
function checkStandardFields(files: DefinitionFiles): Problem[] {
  return Object.entries(files.objects).flatMap(([name, file]) => {
    const standard = findStandard(name)
    if (standard === undefined) return []
    const known = standard.fields.map((field) => field.name)
    return Object.keys(file?.fields ?? {})
      .filter((field) => !field.endsWith('__c') && !known.some((other) => same(other, field)))
      .map((field) => {
        const meant = didYouMean(field, known)
        const message = `${name} has no standard field ${field}${meant}; a field of your own ends in __c: ${field}__c`
        return { path: ['objects', name, 'fields', field], message }
      })
  })
}

/**
 * Makes all objects of an org: the standard objects with the changes of the files, and the custom objects. The result
 * depends on the files only, so a check without a server gives the same problems as a deployment.
 */
export function readDefinitions(files: DefinitionFiles): Read {
  const shape = checkShape(files)
  const problems = shape.length > 0 ? shape : [...checkObjectNames(files), ...checkStandardFields(files)]
  if (problems.length > 0) return { objects: [], problems }
  const { valueSets } = files
  const own = Object.entries(files.objects)
  const custom = own.filter(([name]) => findStandard(name) === undefined)
  const objects = [
    ...STANDARD_OBJECTS.map((standard) =>
      Object.hasOwn(files.objects, standard.name)
        ? readStandardObject(standard, files.objects[standard.name]!, valueSets)
        : standard,
    ),
    ...custom.map(([name, file]) => readCustomObject(name, file, valueSets)),
  ]
  const byName = new Map(objects.map((object) => [object.name.toLowerCase(), object]))
  const checked = own.flatMap(([name, file]: [string, ObjectFile | null]) =>
    checkObject({
      object: byName.get(name.toLowerCase())!,
      file: file ?? {},
      objects: byName,
      valueSets: Object.keys(valueSets),
      standard: findStandard(name),
    }),
  )
  // List views are compiled as queries, which requires valid objects.
  return { objects, problems: checked.length > 0 ? checked : checkListViews(objects, own) }
}
