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
