/** The effect of a write as far as its client knows: `unknown` allows both. */
export type Effect = 'done' | 'refused' | 'unknown'

/** The records that were created in one object, by their keys, and what a client was told about each. */
export class WriteBook {
  readonly #effects = new Map<string, Effect>()
  readonly acknowledged: { readonly key: string; readonly id: string }[] = []

  begin(key: string): void {
    this.#effects.set(key, 'unknown')
  }

  settle(key: string, effect: Effect, id: string | undefined): void {
    this.#effects.set(key, effect)
    if (effect === 'done') this.acknowledged.push({ key, id: id! })
  }

  get effects(): ReadonlyMap<string, Effect> {
    return this.#effects
  }

  /** Any record that was acknowledged. */
  pick(): { readonly key: string; readonly id: string } | undefined {
    return this.acknowledged[Math.floor(Math.random() * this.acknowledged.length)]
  }
}
