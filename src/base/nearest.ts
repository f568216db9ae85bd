/** Maximum number of names that a requested one is compared with. */
const MAX_NAMES = 5000

/** Levenshtein distance between two texts, or any number from `most` on if it is not smaller than that. */
function editDistance(a: string, b: string, most: number): number {
  if (Math.abs(a.length - b.length) >= most) return most
  let above = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    for (let j = 1; j <= b.length; j++) {
      const exchanged = above[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1)
      row.push(Math.min(exchanged, above[j]! + 1, row[j - 1]! + 1))
    }
    // It never becomes smaller than the smallest number of a row.
    if (Math.min(...row) >= most) return most
    above = row
  }
  return above[b.length]!
}

/** A name in the form used for comparison: without case, blanks and common endings. */
const normalize = (name: string) =>
  name
    .slice(0, 80)
    .replace(/__c$/i, '')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]/gu, '')

/** The name that was probably meant; undefined if none is similar. Allows errors in a third of the characters, or two. */
export function nearest(requested: string, names: Iterable<string>): string | undefined {
  const normalized = normalize(requested)
  let best: string | undefined
  let least = normalized.length <= 3 ? 2 : Math.max(2, Math.floor(normalized.length / 3)) + 1
  let looked = 0
  for (const name of names) {
    if (++looked > MAX_NAMES) break
    const difference = editDistance(normalized, normalize(name), least)
    if (difference < least) [best, least] = [name, difference]
  }
  return best
}

/** `; did you mean X?`, or an empty text. */
export function didYouMean(requested: string, names: Iterable<string>): string {
  const name = nearest(requested, names)
  return name === undefined ? '' : `; did you mean ${name}?`
}
