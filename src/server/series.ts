type Labels = Readonly<Record<string, string | number>>

const escapeLabel = (value: string | number) =>
  String(value).replaceAll(/[\\\n"]/g, (character) => (character === '\n' ? '\\n' : `\\${character}`))

const labelText = (labels: Labels) =>
  Object.entries(labels).map(([name, value]) => `${name}="${escapeLabel(value)}"`)

const formatLine = (name: string, labels: readonly string[], value: number) =>
  `${name}${labels.length === 0 ? '' : `{${labels.join(',')}}`} ${value}`

const formatHead = (name: string, type: string, help: string) => [
  `# HELP ${name} ${help}`,
  `# TYPE ${name} ${type}`,
]

/** A counter for each set of labels, in Prometheus' text format. */
export class CounterSeries {
  readonly #head: readonly string[]
  readonly #name: string
  readonly #counts = new Map<string, { readonly labels: readonly string[]; count: number }>()

  constructor(name: string, help: string) {
    this.#name = name
    this.#head = formatHead(name, 'counter', help)
  }

  /** @param key identifies the label set; the labels are computed only when it is new */
  add(key: string, labels: () => Labels): void {
    const known = this.#counts.get(key)
    if (known === undefined) this.#counts.set(key, { labels: labelText(labels()), count: 1 })
    else known.count++
  }

  lines(): string[] {
    return [
      ...this.#head,
      ...[...this.#counts.values()].map(({ labels, count }) => formatLine(this.#name, labels, count)),
    ]
  }
}

interface Histogram {
  readonly labels: readonly string[]
  /** Number of values up to each bound and above the previous one; the last are above all bounds. */
  readonly counts: number[]
  sum: number
}

/** A histogram for each set of labels. Observing is cheap, since it is done for each statement. */
export class HistogramSeries {
  readonly #head: readonly string[]
  readonly #name: string
  readonly #bounds: readonly number[]
  readonly #histograms = new Map<string, Histogram>()

  /** @param bounds ascending */
  constructor(name: string, help: string, bounds: readonly number[]) {
    this.#name = name
    this.#bounds = bounds
    this.#head = formatHead(name, 'histogram', help)
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
    return [
      ...this.#head,
      ...[...this.#histograms.values()].flatMap((histogram) => this.#formatHistogram(histogram)),
    ]
  }

  #formatHistogram({ labels, counts, sum }: Histogram): string[] {
    let total = 0
    const buckets = counts.map((count, index) => {
      total += count
      const bound = this.#bounds[index] ?? '+Inf'
      return formatLine(`${this.#name}_bucket`, [...labels, `le="${bound}"`], total)
    })
    return [
      ...buckets,
      formatLine(`${this.#name}_sum`, labels, sum),
      formatLine(`${this.#name}_count`, labels, total),
    ]
  }
}
