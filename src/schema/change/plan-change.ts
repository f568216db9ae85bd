import type { Org } from '../../storage/orgs/org.ts'
import type { SchemaSnapshot } from '../snapshot/snapshot.ts'
import { addObject, changeObject, dropObject } from './plan-object.ts'
import type { Step } from './step.ts'

/** Everything that has to be done to make one schema the other. */
export function planChange(org: Org, before: SchemaSnapshot, after: SchemaSnapshot): Step[] {
  const added = after.objects.filter(({ name }) => before.object(name) === undefined)
  const gone = before.objects.filter(({ name }) => after.object(name) === undefined)
  return [
    ...added.map((object) => addObject(org, object, after)),
    ...after.objects.flatMap((object) => {
      const known = before.object(object.name)
      if (known === undefined) return []
      return changeObject({ org, before: known, after: object, schemaBefore: before, schemaAfter: after })
    }),
    ...gone.map((object) => dropObject(org, object, before)),
  ]
}
