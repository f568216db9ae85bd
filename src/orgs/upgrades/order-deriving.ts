import { listEffects } from '../../records/steps/plan-effects.ts'
import type { ObjectType } from '../../schema/objects/object-type.ts'
import { requireObject, type SchemaSnapshot } from '../../schema/snapshot/snapshot.ts'
import { findBehaviour, listFollowers } from '../../standard/behaviours.ts'

/** The objects that have something of what an object's records derive: what they add up to, or copies that follow. */
function listDependent(schema: SchemaSnapshot, object: ObjectType): readonly ObjectType[] {
  const follows = findBehaviour(object)?.derivation?.follows ?? {}
  const followers = listFollowers(object).filter(({ from }) =>
    from.some((name) => Object.hasOwn(follows, name)),
  )
  return [
    ...listEffects(object).map(({ parent }) => requireObject(schema, parent)),
    ...followers.map((follower) => requireObject(schema, follower.object)),
  ]
}

/**
 * How many records in a line have something of it: of an opportunity's line, the opportunity and its campaign.
 * @param above objects that lead here; one that comes again ends the line
 */
function countLevels(
  schema: SchemaSnapshot,
  object: ObjectType,
  above: ReadonlySet<ObjectType> = new Set(),
): number {
  const here = new Set([...above, object])
  const others = listDependent(schema, object).filter((other) => !here.has(other))
  return Math.max(0, ...others.map((other) => 1 + countLevels(schema, other, here)))
}

/** Sorts objects so that what others derive from comes first. */
export const orderDeriving = (
  schema: SchemaSnapshot,
  objects: readonly ObjectType[],
): readonly ObjectType[] =>
  objects
    .map((object) => ({ object, levels: countLevels(schema, object) }))
    .sort((a, b) => b.levels - a.levels)
    .map(({ object }) => object)
