import { closeSync, createReadStream, openSync, readSync } from 'node:fs'
import { type CsvError, parse } from 'csv-parse'

/** In order of preference when two occur equally often: characters that are rare in names come first. */
const DELIMITERS = ['\t', ';', '|', ',']

/** Bytes of the file that are read to detect the delimiter. */
const HEAD_BYTES = 4096

function firstLine(path: string): string {
  const file = openSync(path, 'r')
  try {
    const buffer = Buffer.alloc(HEAD_BYTES)
    const size = readSync(file, buffer)
    return buffer.toString('utf8', 0, size).split(/\r?\n/, 1)[0]!
  } finally {
    closeSync(file)
  }
}

/** The most frequent delimiter in the header, outside quoted names. */
function detectDelimiter(header: string): string {
  const bare = header.replaceAll(/"(?:[^"]|"")*"/g, '')
  const count = (delimiter: string) => bare.split(delimiter).length
  return DELIMITERS.reduce((best, delimiter) => (count(delimiter) > count(best) ? delimiter : best))
}

/**
 * Streams the rows of a CSV file of any size, the header first.
 * @throws Error that names the file and the line
 */
export async function* readRows(path: string): AsyncGenerator<readonly string[]> {
  const parser = parse({ bom: true, delimiter: detectDelimiter(firstLine(path)), skip_empty_lines: true })
  const file = createReadStream(path)
  file.on('error', (error) => parser.destroy(error))
  try {
    yield* file.pipe(parser)
  } catch (error) {
    throw new Error(`${path}: ${(error as CsvError).message}`, { cause: error })
  }
}
