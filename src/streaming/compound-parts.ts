import type { Field } from '../schema/fields/field.ts'

/** `City` of BillingCity in BillingAddress, `Street` of Home__Street__s in Home__c, `FirstName` in Name. */
function partName(compound: string, part: string): string {
  const start = compound.endsWith('__c') ? `${compound.slice(0, -3)}__` : compound.replace(/Address$/, '')
  const rest = part.startsWith(start) && part !== start ? part.slice(start.length) : part
  return rest.replace(/__s$/, '')
}

/** Returns where a field stands in a payload: a part of a compound field inside of that. */
export function placeOf({ name, definition: { compound } }: Field): readonly [string, string?] {
  return compound === undefined ? [name] : [compound, partName(compound, name)]
}
