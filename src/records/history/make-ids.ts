import type { Context } from '../../context.ts'
import type { ObjectType } from '../../schema/objects/object-type.ts'

/** Ids for new records of an object. */
export async function makeIds(
  { ids, db }: Pick<Context, 'ids' | 'db'>,
  { keyPrefix }: ObjectType,
  count: number,
): Promise<string[]> {
  const made: string[] = []
  while (made.length < count) made.push(await ids.make(keyPrefix, db))
  return made
}
