import { getOrInsert } from '../../base/get-or-insert.ts'
import { nearest } from '../../base/nearest.ts'
import type { ReachedOrg } from './reached-org.ts'
import { readBody } from './record-pages.ts'

/** The part of a field's describe that imports and exports need. */
export interface DescribedField {
  readonly name: string
  readonly label: string
  readonly type: string
  readonly createable: boolean
  readonly updateable: boolean
  readonly nillable: boolean
  readonly idLookup: boolean
  readonly nameField: boolean
  readonly relationshipName: string | null
  readonly referenceTo: readonly string[]
}

export interface DescribedObject {
  readonly name: string
  readonly fields: readonly DescribedField[]
  readonly childRelationships: readonly {
    readonly relationshipName: string | null
    readonly childSObject: string
    /** The field of the child that points here. */
    readonly field: string
  }[]
}

/**
 * Describes an object.
 * @throws Error with the name that may have been meant
 */
export async function describeObject(org: ReachedOrg, name: string): Promise<DescribedObject> {
  const reply = await org.call('GET', `/sobjects/${encodeURIComponent(name)}/describe`)
  if (reply.status !== 404) return readBody(Promise.resolve(reply))
  const { sobjects } = await readBody<{ sobjects: { name: string }[] }>(org.call('GET', '/sobjects'))
  const meant = nearest(
    name,
    sobjects.map((object) => object.name),
  )
  throw new Error(
    `There is no object ${name} in this org.${meant === undefined ? '' : ` Did you mean ${meant}?`}`,
  )
}

/** Describes each object once. */
export function describeOnce(org: ReachedOrg): (name: string) => Promise<DescribedObject> {
  const described = new Map<string, Promise<DescribedObject>>()
  return (name) => getOrInsert(described, name, () => describeObject(org, name))
}
