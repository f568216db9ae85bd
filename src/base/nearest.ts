/** How many characters have to be added, taken away or exchanged to make one text the other. */
function distance(a: string, b: string): number {
  let above = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    for (let j = 1; j <= b.length; j++) {
      const exchanged = above[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1)
      row.push(Math.min(exchanged, above[j]! + 1, row[j - 1]! + 1))
    }
    above = row
  }
  return above[b.length]!
}

/** The name that somebody probably meant; undefined when none is near. Case does not count. */
export function nearest(asked: string, names: Iterable<string>): string | undefined {
  const wanted = asked.toLowerCase().slice(0, 80)
  let best: string | undefined
  let least = Math.max(2, Math.floor(wanted.length / 3)) + 1
  for (const name of names) {
    const far = distance(wanted, name.toLowerCase().slice(0, 80))
    if (far < least) [best, least] = [name, far]
  }
  return best
}

/** `; did you mean X?`, or nothing. */
export function didYouMean(asked: string, names: Iterable<string>): string {
  const name = nearest(asked, names)
  return name === undefined ? '' : `; did you mean ${name}?`
}
