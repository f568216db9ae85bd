import { readTar } from '../storage/embedded/read-tar.ts'

/** PostgreSQL's template databases: new databases are copies of them, and an org for a test makes none. */
const TEMPLATES = /^\/base\/[14]\//

/** Removes files that a test org never needs, a third of the image of a data folder. */
export function trimImage(tar: Uint8Array): Uint8Array {
  return Buffer.concat([...readTar(tar)].flatMap(({ name, whole }) => (TEMPLATES.test(name) ? [] : [whole])))
}
