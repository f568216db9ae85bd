import { globSync } from 'node:fs'
import { resolve } from 'node:path'
import { readPage } from './read-page.ts'

const FOLDER = resolve(import.meta.dirname, '../../docs/how-to')

/** Each has a file of tests, so that they run side by side. */
const SHARES = 6

/** How long a page takes, about: mostly as long as the processes that it starts. */
function estimateWork(path: string): number {
  const scripts = readPage(path).blocks.filter(({ language }) => /^(?:sh|console)$/.test(language))
  return scripts.reduce((sum, { text }) => sum + 1 + [...text.matchAll(/\bobjectry\b/g)].length, 1)
}

/** One of six shares of the how-tos, which take about as long as each other. */
export function howToPages(share: number): readonly string[] {
  const shares = Array.from({ length: SHARES }, () => ({ paths: [] as string[], work: 0 }))
  const pages = globSync(`${FOLDER}/*.md`)
    .sort()
    .map((path) => ({ path, work: estimateWork(path) }))
  for (const { path, work } of pages.toSorted((a, b) => b.work - a.work)) {
    const least = shares.reduce((a, b) => (b.work < a.work ? b : a))
    least.paths.push(path)
    least.work += work
  }
  return shares[share - 1]!.paths.sort()
}
