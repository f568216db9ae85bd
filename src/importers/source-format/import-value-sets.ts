import type { FieldFile, FileValue } from '../../definitions/formats/field-file.ts'
import type { ValueSetFile } from '../../definitions/formats/object-file.ts'
import type { FieldDefinition } from '../../schema/fields/field-definition.ts'
import { findStandardObject } from '../../standard/standard-objects.ts'
import type { NotePad } from '../notes.ts'
import { readListAhead, readValues } from './fields/read-values.ts'
import type { MetadataElement } from './project/metadata-element.ts'
import { STANDARD_VALUE_SETS } from './standard-value-sets.ts'

/** A value without what is false of it, unless ours of that name says that it is true. */
function withoutUsual(value: FileValue, usual: FieldDefinition['values']): FileValue {
  const ours = usual?.find((known) => typeof known !== 'string' && known.value === value.value)
  const said = Object.entries(value).filter(
    ([name, member]) =>
      member !== false || (ours as Readonly<Record<string, unknown>> | undefined)?.[name] === true,
  )
  return Object.fromEntries(said) as FileValue
}

/** Reads standard value sets into the standard picklists that use them. */
export function* standardValues(
  sets: ReadonlyMap<string, MetadataElement>,
  pad: NotePad,
): Generator<void, Map<string, Record<string, FieldFile>>> {
  const changes = new Map<string, Record<string, FieldFile>>()
  for (const [name, xml] of sets) {
    yield* readListAhead(xml, 'standardValue')
    const values = readValues(xml, 'standardValue')
    const paths = Object.hasOwn(STANDARD_VALUE_SETS, name) ? STANDARD_VALUE_SETS[name]! : []
    const targets = paths.map((path) => path.split('.') as [string, string])
    const there = targets.filter(([object, field]) =>
      findStandardObject(object)?.fields.some((known) => known.name === field),
    )
    if (there.length === 0)
      pad.add('standardField', name, 'no standard picklist takes its values from this set')
    for (const [object, field] of there) {
      const usual = findStandardObject(object)!.fields.find((known) => known.name === field)!.values
      const own = values.map((value) => withoutUsual(value, usual))
      changes.set(object, { ...changes.get(object), [field]: { values: own } })
    }
    for (const given of ['fullName', 'groupingStringEnum']) xml.all(given)
    for (const unread of yield* xml.unreadInSlices())
      pad.collect('picklist', name, unread.replace('standardValue.', ''))
  }
  return changes
}

/** Makes the file of a global value set. */
export function* importValueSet(
  name: string,
  xml: MetadataElement,
  pad: NotePad,
): Generator<void, ValueSetFile> {
  yield* readListAhead(xml, 'customValue')
  const [label, description] = [xml.text('masterLabel'), xml.text('description')]
  const values = readValues(xml, 'customValue')
  xml.all('fullName')
  for (const unread of yield* xml.unreadInSlices()) pad.collect('display', name, unread)
  return {
    ...(label !== undefined && label !== name && { label }),
    ...(description !== undefined && { description }),
    values,
  }
}
