import { isDeepStrictEqual } from 'node:util'
import { makeApiVersion } from '../../base/api-version.ts'
import { trimEnd } from '../../base/cut-text.ts'
import { withoutText } from '../../base/decimal-json.ts'
import { getOrInsert } from '../../base/get-or-insert.ts'
import { readDefinitions } from '../../definitions/files/read-definitions.ts'
import type { DefinitionFiles } from '../../definitions/formats/object-file.ts'
import { describeField } from '../../schema/describe/describe-field.ts'
import { describeBriefly } from '../../schema/describe/describe-object.ts'
import type { ObjectType } from '../../schema/objects/object-type.ts'
import { makeSnapshot } from '../../schema/snapshot/snapshot.ts'
import type { NotePad } from '../notes.ts'
import type { DescribedObject } from './described-object.ts'

type Json = Readonly<Record<string, unknown>>

/** Maximum number of fields that a note names. */
const MAX_NAMED = 3

/** Removes trailing zero bits, which some services add. */
const shortBits = (value: unknown) => (typeof value === 'string' ? trimEnd(trimEnd(value, '='), 'A') : value)

const comparable = (key: string, value: unknown) =>
  key === 'picklistValues' && Array.isArray(value)
    ? value.map((entry) => ({ ...entry, validFor: shortBits(entry.validFor) }))
    : withoutText(value)

/** Keys in both with different values. */
function differing(theirs: Json, ours: Json): string[] {
  return Object.keys(ours).filter(
    (key) =>
      Object.hasOwn(theirs, key) &&
      !isDeepStrictEqual(comparable(key, theirs[key]), comparable(key, ours[key])),
  )
}

function fieldDifferences({ whole }: DescribedObject, object: ObjectType): Map<string, string[]> {
  const differences = new Map<string, string[]>()
  for (const theirs of whole.fields) {
    const name = String(theirs.name)
    const field = object.field(name)
    if (field === undefined) continue
    const { controller } = field.definition
    const ours = describeField(field, controller === undefined ? undefined : object.field(controller))
    for (const key of differing(theirs, ours)) {
      if (key !== 'name') getOrInsert(differences, key, () => []).push(name)
    }
  }
  return differences
}

/** Notes how the describe of the imported object will differ from the source. */
function noteObject(described: DescribedObject, object: ObjectType, pad: NotePad): void {
  const ours = Object.entries(describeBriefly(object, makeApiVersion(64)))
  const plain = ours.filter(
    ([key, value]) => typeof value !== 'object' && !['keyPrefix', 'name'].includes(key),
  )
  const own = differing(described.whole, Object.fromEntries(plain))
  const ofFields = [...fieldDifferences(described, object)].map(([key, names]) =>
    names.length > MAX_NAMED ? `${key} of ${names.length} fields` : `${key} of ${names.join(', ')}`,
  )
  const whole = [...own, ...ofFields]
  if (whole.length > 0) pad.add('difference', described.name, whole.join('; '))
}

/** Compares describes with those of the imported files, so that the report names every difference. */
export function noteDifferences(
  described: readonly DescribedObject[],
  files: DefinitionFiles,
  pad: NotePad,
): void {
  const snapshot = makeSnapshot(1, new Date(0), readDefinitions(files).objects)
  for (const object of described) {
    const made = snapshot.object(object.name)
    if (made === undefined) continue
    noteObject(object, made, pad)
    const missing = object.childRelationships.filter(
      ({ childSObject, field }) =>
        !made.children.some((child) => child.childObject === childSObject && child.field.name === field),
    )
    if (missing.length > 0)
      pad.collect('component', object.name, 'childRelationships to what is not here', missing.length)
  }
}
