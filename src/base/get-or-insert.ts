interface Keyed<K, V> {
  get(key: K): V | undefined
  set(key: K, value: V): unknown
}

/** Returns the value of a key; makes and stores it first if there is none. For maps whose values are never undefined. */
export function getOrInsert<K, V>(map: Keyed<K, V>, key: K, make: (key: K) => V): V {
  const known = map.get(key)
  if (known !== undefined) return known
  const value = make(key)
  map.set(key, value)
  return value
}

/** Returns a function that makes the value of each key once, and keeps it as long as the key lives. For values that are never undefined. */
export function oncePer<K extends object, V>(make: (key: K) => V): (key: K) => V {
  const values = new WeakMap<K, V>()
  return (key) => getOrInsert(values, key, make)
}

/** Values by key, each as long as something else holds it. */
export class WeakValues<V extends object> {
  readonly #values = new Map<string, WeakRef<V>>()
  readonly #registry = new FinalizationRegistry<string>((key) => {
    if (this.get(key) === undefined) this.#values.delete(key)
  })

  get(key: string): V | undefined {
    return this.#values.get(key)?.deref()
  }

  set(key: string, value: V): void {
    this.#values.set(key, new WeakRef(value))
    this.#registry.register(value, key)
  }

  delete(key: string): void {
    this.#values.delete(key)
  }
}
