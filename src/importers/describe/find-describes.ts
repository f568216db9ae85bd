import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { NotePad } from '../notes.ts'
import { readMetadata } from '../read-metadata.ts'
import { type DescribedObject, readDescribes } from './described-object.ts'

/**
 * Finds the describes in a file, or in the JSON files of a folder. Notes files without a describe.
 * @throws Error when there is no describe
 */
export function findDescribes(path: string, pad: NotePad): DescribedObject[] {
  const isFolder = statSync(path).isDirectory()
  const files = isFolder
    ? readdirSync(path)
        .filter((name) => name.endsWith('.json'))
        .sort()
        .map((name) => join(path, name))
    : [path]
  const found = files.flatMap((file) => {
    const describes = readDescribes(file, readMetadata(file))
    if (describes.length === 0) pad.add('file', file, 'has no describe of an object')
    return describes
  })
  if (found.length > 0) return found
  throw new Error(
    `${path} has no describe of an object: save the answer of GET /services/data/v64.0/sobjects/Account/describe there`,
  )
}
