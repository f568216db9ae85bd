import { readFileSync, statSync } from 'node:fs'

/** A larger file is no metadata that a person or a tool writes: the largest profiles have a tenth of it. */
const MAX_MEGABYTES = 50

/** @throws Error when the file is too large to be parsed */
export function readMetadata(file: string): string {
  const megabytes = Math.ceil(statSync(file).size / 1024 ** 2)
  if (megabytes > MAX_MEGABYTES)
    throw new Error(`${file} has ${megabytes} MB. Files of metadata have at most ${MAX_MEGABYTES} MB.`)
  return readFileSync(file, 'utf8')
}
