import { rmSync, writeFileSync } from 'node:fs'
import { lockDataFolder } from '../../src/storage/embedded/data-folder-lock.ts'

/*
 * Takes the lock of a data folder again and again. Fails when somebody else has it meanwhile; prints how often it had it.
 * Arguments: the folder, and the time in milliseconds since 1970 to end at.
 */

const [folder, end] = process.argv.slice(2) as [string, string]
const witness = `${folder}.witness`
let count = 0

while (Date.now() < Number(end)) {
  let unlock: () => void
  try {
    unlock = lockDataFolder(folder)
  } catch (error) {
    if (!/is in use by/.test((error as Error).message)) throw error
    continue
  }
  writeFileSync(witness, '', { flag: 'wx' })
  rmSync(witness)
  unlock()
  count++
}
console.log(count)
