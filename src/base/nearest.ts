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

/** What two names are compared by: case, blanks and endings make no difference. */
const plain = (name: string) =>
  name
    .slice(0, 80)
    .replace(/__c$/i, '')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]/gu, '')

/** The name that somebody probably meant; undefined when none is near. Up to a third of it may be wrong, or two letters. */
export function nearest(requested: string, names: Iterable<string>): string | undefined {
  const wanted = plain(requested)
  let best: string | undefined
  let least = wanted.length <= 3 ? 2 : Math.max(2, Math.floor(wanted.length / 3)) + 1
  for (const name of names) {
    const far = distance(wanted, plain(name))
    if (far < least) [best, least] = [name, far]
  }
  return best
}

/** `; did you mean X?`, or nothing. */
export function didYouMean(requested: string, names: Iterable<string>): string {
  const name = nearest(requested, names)
  return name === undefined ? '' : `; did you mean ${name}?`
}
