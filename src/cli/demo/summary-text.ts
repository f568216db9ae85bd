const NUMBER_WIDTH = 9

const numberText = (count: number) => count.toLocaleString('en-US').padStart(NUMBER_WIDTH)

/** What was written, an object on a line. */
export function summaryText(counts: ReadonlyMap<string, number>): string {
  const width = Math.max(...[...counts.keys()].map(({ length }) => length))
  const line = (name: string, text: string) => `${name.padEnd(width)}  ${text}\n`
  const total = counts.values().reduce((sum, count) => sum + count, 0)
  const rule = line('-'.repeat(width), '-'.repeat(NUMBER_WIDTH))
  const lines = [...counts].map(([name, count]) => line(name, numberText(count)))
  return [
    line('Object', 'Records'.padStart(NUMBER_WIDTH)),
    rule,
    ...lines,
    rule,
    line('All', numberText(total)),
  ].join('')
}
