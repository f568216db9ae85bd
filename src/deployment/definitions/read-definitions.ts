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

/** What files say: every object that there will be, and what is wrong. With problems the objects are of no use. */
export interface Read {
  readonly objects: readonly ObjectDefinition[]
  readonly problems: readonly Problem[]
}

const standardOf = (name: string) => STANDARD_OBJECTS.find((object) => same(object.name, name))

/** Names of the files: what is no custom object is one of the platform's. */
function checkObjectNames(files: DefinitionFiles): Problem[] {
  const names = Object.keys(files.objects)
  return names.flatMap((name, at) => {
    const path = ['objects', name]
    const twin = names.findIndex((other) => same(other, name))
    if (twin < at) return [{ path, message: `${names[twin]} is the same object` }]
    const standard = standardOf(name)
    if (standard !== undefined) {
      return standard.name === name ? [] : [{ path, message: `the object is spelled ${standard.name}` }]
    }
    if (name.endsWith('__c')) return []
    const meant = didYouMean(name, [...STANDARD_OBJECTS.map((object) => object.name), ...names.slice(0, at)])
    return [{ path, message: `${name} is no standard object${meant}; an object of your own ends in __c` }]
  })
}

/** Of a standard object a file names its own fields and those that it has. */
function checkStandardFields(files: DefinitionFiles): Problem[] {
  return Object.entries(files.objects).flatMap(([name, file]) => {
    const standard = standardOf(name)
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
 * The whole of an org's objects: the standard ones with what files change in them, and those of the files. Nothing but
 * the files is looked at, so the answer is the same wherever it is asked for.
 */
export function readDefinitions(files: DefinitionFiles): Read {
  const shape = checkShape(files)
  const problems = shape.length > 0 ? shape : [...checkObjectNames(files), ...checkStandardFields(files)]
  if (problems.length > 0) return { objects: [], problems }
  const { valueSets } = files
  const own = Object.entries(files.objects)
  const custom = own.filter(([name]) => standardOf(name) === undefined)
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
      standard: standardOf(name),
    }),
  )
  // Queries can be looked at when everything that they name is as it should be.
  return { objects, problems: checked.length > 0 ? checked : checkListViews(objects, own) }
}
