import type { FieldFile } from '../../definitions/field-file.ts'
import type { ValueSetFile } from '../../definitions/object-file.ts'
import type { NotePad } from '../notes.ts'
import { findStandard } from './find-standard.ts'
import { readValues } from './read-values.ts'
import { STANDARD_VALUE_SETS } from './standard-value-sets.ts'
import type { XmlElement } from './xml-element.ts'

/** Reads standard value sets into the standard picklists that use them. */
export function standardValues(
  sets: ReadonlyMap<string, XmlElement>,
  pad: NotePad,
): Map<string, Record<string, FieldFile>> {
  const changes = new Map<string, Record<string, FieldFile>>()
  for (const [name, xml] of sets) {
    const values = readValues(xml, 'standardValue')
    const paths = Object.hasOwn(STANDARD_VALUE_SETS, name) ? STANDARD_VALUE_SETS[name]! : []
    const targets = paths.map((path) => path.split('.') as [string, string])
    const there = targets.filter(([object, field]) =>
      findStandard(object)?.fields.some((known) => known.name === field),
    )
    if (there.length === 0)
      pad.add('standardField', name, 'no standard picklist takes its values from this set')
    for (const [object, field] of there) {
      changes.set(object, { ...changes.get(object), [field]: { values } })
    }
    for (const given of ['fullName', 'groupingStringEnum']) xml.all(given)
    for (const unread of xml.unread()) pad.collect('picklist', name, unread.replace('standardValue.', ''))
  }
  return changes
}

/** Makes the file of a global value set. */
export function importValueSet(name: string, xml: XmlElement, pad: NotePad): ValueSetFile {
  const [label, description] = [xml.text('masterLabel'), xml.text('description')]
  const values = readValues(xml, 'customValue')
  xml.all('fullName')
  for (const unread of xml.unread()) pad.collect('display', name, unread)
  return {
    ...(label !== undefined && label !== name && { label }),
    ...(description !== undefined && { description }),
    values,
  }
}
