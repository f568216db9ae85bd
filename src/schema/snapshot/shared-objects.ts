import { WeakValues } from '../../base/get-or-insert.ts'
import type { ObjectType } from '../objects/object-type.ts'

/*
 * Orgs with the same definitions share their objects, which are frozen and know nothing of an org: what is derived from an
 * object and belongs to an org, such as a statement, is kept by both. They go with the last snapshot that has them.
 */

type Objects = readonly ObjectType[]

/** By the fingerprint of the definitions. */
const known = new WeakValues<Objects>()

/** The objects made of definitions with a fingerprint, if a snapshot has them. */
export const getSharedObjects = (fingerprint: string): Objects | undefined => known.get(fingerprint)

/** Shares objects with other orgs; those that another org made meanwhile are shared instead. */
export function shareObjects(fingerprint: string, objects: Objects): Objects {
  const others = known.get(fingerprint)
  if (others !== undefined) return others
  known.set(fingerprint, objects)
  return objects
}
