import { guardOf } from '../../access/guards.ts'
import { oncePer } from '../../base/get-or-insert.ts'
import { drain } from '../../base/run-in-slices.ts'
import type { ObjectType } from '../../schema/objects/object-type.ts'
import { buildSnapshot, makeObjectsInSlices, type SchemaSnapshot } from '../../schema/snapshot/snapshot.ts'
import { CODE_OBJECTS } from './code-objects.ts'
import { CUSTOM_FIELD } from './custom-field.sql.ts'
import { CUSTOM_OBJECT } from './custom-object.sql.ts'
import { PACKAGING_OBJECTS } from './packaging-objects.ts'
import { VALIDATION_RULE } from './validation-rule.sql.ts'

/** Objects that only the tooling API knows. They are the same for every org, and in none of them. */
export const TOOLING_OBJECTS = [
  CUSTOM_OBJECT,
  CUSTOM_FIELD,
  VALIDATION_RULE,
  ...CODE_OBJECTS,
  ...PACKAGING_OBJECTS,
]

const OBJECTS = drain(makeObjectsInSlices(TOOLING_OBJECTS))

const byName = (a: ObjectType, b: ObjectType) => (a.name < b.name ? -1 : 1)

/** The schema of an org with the objects of the tooling API beside its own. */
export const toolingSchema = oncePer(
  ({ version, changedAt, objects }: SchemaSnapshot): SchemaSnapshot =>
    buildSnapshot(version, changedAt, [...objects, ...OBJECTS].sort(byName)),
)

/** True if the tooling API queries and describes the object: it is about the org, and not data. */
export const isToolingObject = ({ definition }: ObjectType): boolean => guardOf(definition) !== undefined
