type Labels = Readonly<Record<string, string | number>>

const escaped = (value: string | number) =>
  String(value).replaceAll(/[\\\n"]/g, (character) => (character === '\n' ? '\\n' : `\\${character}`))

const labelText = (labels: Labels) =>
  Object.entries(labels).map(([name, value]) => `${name}="${escaped(value)}"`)

const lineOf = (name: string, labels: readonly string[], value: number) =>
  `${name}${labels.length === 0 ? '' : `{${labels.join(',')}}`} ${value}`

const headOf = (name: string, type: string, help: string) => [
  `# HELP ${name} ${help}`,
  `# TYPE ${name} ${type}`,
]

/** A number that goes up, for each set of labels, in Prometheus' text format. */
export class CounterSeries {
  readonly #head: readonly string[]
  readonly #name: string
  readonly #counts = new Map<string, { readonly labels: readonly string[]; count: number }>()

  constructor(name: string, help: string) {
    this.#name = name
    this.#head = headOf(name, 'counter', help)
  }

  /** @param key tells label sets from each other; the labels are looked at when it is new */
  add(key: string, labels: () => Labels): void {
    const known = this.#counts.get(key)
    if (known === undefined) this.#counts.set(key, { labels: labelText(labels()), count: 1 })
    else known.count++
  }

  lines(): string[] {
    return [
      ...this.#head,
      ...[...this.#counts.values()].map(({ labels, count }) => lineOf(this.#name, labels, count)),
    ]
  }
}

interface Histogram {
  readonly labels: readonly string[]
  /** Values up to each bound and above the one before; the last are above all bounds. */
  readonly counts: number[]
  sum: number
}

/** How values are spread, for each set of labels. Counting one costs next to nothing: it is done for each statement. */
export class HistogramSeries {
  readonly #head: readonly string[]
  readonly #name: string
  readonly #bounds: readonly number[]
  readonly #histograms = new Map<string, Histogram>()

  /** @param bounds ascending */
  constructor(name: string, help: string, bounds: readonly number[]) {
    this.#name = name
    this.#bounds = bounds
    this.#head = headOf(name, 'histogram', help)
  }

  observe(key: string, labels: () => Labels, value: number): void {
    let histogram = this.#histograms.get(key)
    if (histogram === undefined) {
      histogram = { labels: labelText(labels()), counts: Array(this.#bounds.length + 1).fill(0), sum: 0 }
      this.#histograms.set(key, histogram)
    }
    let bound = 0
    while (bound < this.#bounds.length && value > this.#bounds[bound]!) bound++
    histogram.counts[bound]!++
    histogram.sum += value
  }

  lines(): string[] {
    return [...this.#head, ...[...this.#histograms.values()].flatMap((histogram) => this.#linesOf(histogram))]
  }

  #linesOf({ labels, counts, sum }: Histogram): string[] {
    let total = 0
    const buckets = counts.map((count, index) => {
      total += count
      const bound = this.#bounds[index] ?? '+Inf'
      return lineOf(`${this.#name}_bucket`, [...labels, `le="${bound}"`], total)
    })
    return [
      ...buckets,
      lineOf(`${this.#name}_sum`, labels, sum),
      lineOf(`${this.#name}_count`, labels, total),
    ]
  }
}
