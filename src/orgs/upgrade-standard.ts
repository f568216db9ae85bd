import type { ObjectDefinition } from '../schema/definitions/definition.ts'
import { withStatusOf } from '../schema/definitions/status-properties.ts'
import type { FieldDefinition } from '../schema/fields/field-definition.ts'
import { CHANGEABLE_PROPERTIES } from '../standard/changeable-properties.ts'
import { isSetupObject } from '../standard/setup/setup-objects.ts'
import { STANDARD_OBJECTS } from '../standard/standard-objects.ts'

const OWN_PROPERTIES: ReadonlySet<string> = new Set(CHANGEABLE_PROPERTIES)

/** A standard field as this version has it, with what the org may have changed as it was. */
function upgradeField(known: FieldDefinition, wanted: FieldDefinition, isSetup: boolean): FieldDefinition {
  const ofPlatform = Object.entries(wanted).filter(([name]) => !OWN_PROPERTIES.has(name))
  const ofOrg = Object.entries(known).filter(([name]) => OWN_PROPERTIES.has(name))
  const upgraded = Object.fromEntries([...ofPlatform, ...ofOrg]) as unknown as FieldDefinition
  // The platform works by the values of what configures an org.
  const values = isSetup ? wanted.values : withStatusOf(known.values, wanted.values)
  return values === undefined ? upgraded : { ...upgraded, values }
}

function upgradeObject(known: ObjectDefinition, wanted: ObjectDefinition): ObjectDefinition {
  // Nobody but the platform says what a view is: a later version may make it in another way.
  if (wanted.view !== undefined || known.view !== undefined) return wanted
  const wantedByName = new Map(wanted.fields.map((field) => [field.name.toLowerCase(), field]))
  const names = new Set(known.fields.map(({ name }) => name.toLowerCase()))
  const fields = known.fields.map((field) => {
    const ofVersion = wantedByName.get(field.name.toLowerCase())
    return ofVersion === undefined ? field : upgradeField(field, ofVersion, isSetupObject(known.name))
  })
  // An index adds to an object, too. An org that has said something about it keeps that.
  const isIndexed = known.searchable === undefined && wanted.searchable === 'indexed'
  return {
    ...known,
    ...(isIndexed && { searchable: 'indexed' }),
    ...(wanted.namedLayouts && { namedLayouts: wanted.namedLayouts }),
    fields: [...fields, ...wanted.fields.filter(({ name }) => !names.has(name.toLowerCase()))],
  }
}

/**
 * The standard objects of this version for an org of an earlier one: with what the org has changed of them, and what the platform has
 * changed since, such as a field that was stored and follows from others now.
 */
export function upgradeStandard(known: readonly ObjectDefinition[]): ObjectDefinition[] {
  const knownByName = new Map(known.map((object) => [object.name, object]))
  return STANDARD_OBJECTS.map((wanted) => {
    const had = knownByName.get(wanted.name)
    return had === undefined ? wanted : upgradeObject(had, wanted)
  })
}
