/** How many letters have to be put in, taken out or changed to make one text of the other. */
function distance(a: string, b: string): number {
  let above = Array.from({ length: b.length + 1 }, (_, at) => at)
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    for (let j = 1; j <= b.length; j++) {
      const changed = above[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1)
      row.push(Math.min(changed, above[j]! + 1, row[j - 1]! + 1))
    }
    above = row
  }
  return above[b.length]!
}

const plain = (text: string) => text.toLowerCase().replaceAll(/[^\p{L}\p{N}]|__c$/gu, '')

/** What somebody who wrote `text` may have meant; undefined when nothing is near. */
export function nearestName(text: string, names: Iterable<string>): string | undefined {
  const written = plain(text)
  let best: string | undefined
  // Up to a third of it may be wrong.
  let least = Math.max(1, Math.floor(written.length / 3)) + 1
  for (const name of names) {
    const away = distance(written, plain(name))
    if (away < least) [best, least] = [name, away]
  }
  return best
}
