import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const isRule = (line: string | undefined) => line !== undefined && /^\|\s*-/.test(line)

/** The cells of every line of every table on a page of `docs`, without the heads. */
export function tableRows(page: string): string[][] {
  const path = fileURLToPath(new URL(`../../docs/${page}`, import.meta.url))
  const lines = readFileSync(path, 'utf8').split('\n')
  return lines
    .filter((line, index) => line.startsWith('|') && !isRule(line) && !isRule(lines[index + 1]))
    .map((line) =>
      line
        .slice(1, line.lastIndexOf('|'))
        .split('|')
        .map((cell) => cell.trim()),
    )
}

/** The text in a cell that is code. */
export const codeIn = (cell: string) => cell.replace(/^`(.*)`$/, '$1')
