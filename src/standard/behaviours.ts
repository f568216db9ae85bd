import { getOrInsert } from '../base/get-or-insert.ts'
import type { ObjectType } from '../schema/objects/object-type.ts'
import type { ObjectBehaviour } from './behaviour/behaviour.ts'
import type { Copied } from './behaviour/derived-record.ts'
import { BEHAVIOURS } from './standard-objects.ts'

/** The behaviour of an object's records; undefined: they are only stored. */
export const findBehaviour = ({ name }: ObjectType): ObjectBehaviour | undefined => BEHAVIOURS.get(name)

/** Fields of an object that follow records which one of its references points to. Names are API names. */
export interface Follower {
  readonly object: string
  readonly reference: string
  /** Fields of the others whose change calls for it. */
  readonly from: readonly string[]
  /** The fields that follow, each with all that it has. */
  readonly sets: Readonly<Record<string, readonly Copied[]>>
}

function makeFollowers(): ReadonlyMap<string, readonly Follower[]> {
  const found = new Map<string, Follower[]>()
  for (const [object, { derivation }] of BEHAVIOURS) {
    const follows = Object.entries(derivation?.follows ?? {})
    const copied = follows.flatMap(([, copies]) => copies)
    for (const reference of new Set(copied.map((one) => one.reference))) {
      const own = copied.filter((one) => one.reference === reference)
      const sets = follows.filter(([, copies]) => copies.some((one) => one.reference === reference))
      const follower = {
        object,
        reference,
        from: own.map(({ field }) => field),
        sets: Object.fromEntries(sets),
      }
      getOrInsert(found, own[0]!.parent, () => []).push(follower)
    }
  }
  return found
}

const FOLLOWERS = makeFollowers()

/** Effects that follow changes of an object's records. */
export const listFollowers = ({ name }: ObjectType): readonly Follower[] => FOLLOWERS.get(name) ?? []
