/** How much of what everything else hangs on; the rest follows from it. */
export interface Size {
  readonly accounts: number
  readonly products: number
  readonly campaigns: number
  /** About how many records come of it in all. */
  readonly about: number
}

export const SIZES = {
  s: { accounts: 6, products: 8, campaigns: 3, about: 200 },
  m: { accounts: 175, products: 40, campaigns: 12, about: 5_000 },
  l: { accounts: 3_450, products: 200, campaigns: 60, about: 100_000 },
} as const satisfies Record<string, Size>
