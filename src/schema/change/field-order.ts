import type { ObjectType } from '../objects/object-type.ts'
import type { Pair } from './plan-field.ts'

/** True if the fields that an object had and has are in the same order. */
export function hasSameOrder({ before, after }: Pick<Pair, 'before' | 'after'>): boolean {
  const names = (object: ObjectType) => object.definition.fields.map(({ name }) => name.toLowerCase())
  const [old, now] = [names(before), names(after)]
  const kept = old.filter((name) => now.includes(name))
  return kept.join() === now.filter((name) => old.includes(name)).join()
}
