import { closeSync, createReadStream, openSync, readSync } from 'node:fs'
import { type CsvError, parse } from 'csv-parse'

/** Those that seldom stand in a name first: they win when two stand equally often. */
const DELIMITERS = ['\t', ';', '|', ',']

/** How much of a file is looked at to find what stands between its columns. */
const HEAD = 4096

function firstLine(path: string): string {
  const file = openSync(path, 'r')
  try {
    const buffer = Buffer.alloc(HEAD)
    const size = readSync(file, buffer)
    return buffer.toString('utf8', 0, size).split(/\r?\n/, 1)[0]!
  } finally {
    closeSync(file)
  }
}

/** The character that stands most often in the header, quoted names aside. */
function delimiterOf(header: string): string {
  const bare = header.replaceAll(/"(?:[^"]|"")*"/g, '')
  const count = (delimiter: string) => bare.split(delimiter).length
  return DELIMITERS.reduce((best, delimiter) => (count(delimiter) > count(best) ? delimiter : best))
}

/**
 * The rows of a CSV file, the header first, one after the other: the file may be of any size.
 * @throws Error that names the file and the line
 */
export async function* readRows(path: string): AsyncGenerator<readonly string[]> {
  const parser = parse({ bom: true, delimiter: delimiterOf(firstLine(path)), skip_empty_lines: true })
  const file = createReadStream(path)
  file.on('error', (error) => parser.destroy(error))
  try {
    yield* file.pipe(parser)
  } catch (error) {
    throw new Error(`${path}: ${(error as CsvError).message}`, { cause: error })
  }
}
