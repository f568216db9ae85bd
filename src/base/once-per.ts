import { getOrInsert } from './get-or-insert.ts'

/** Returns a function that makes the value of each key once, and keeps it as long as the key lives. For values that are never undefined. */
export function oncePer<K extends object, V>(make: (key: K) => V): (key: K) => V {
  const values = new WeakMap<K, V>()
  return (key) => getOrInsert(values, key, make)
}
