import { spawn } from 'node:child_process'
import { existsSync, globSync } from 'node:fs'
import { constants } from 'node:os'
import { basename } from 'node:path'

/*
 * Runs a soak, a file of `test/soak`: `npm run soak -- faults --only cut`. Ends as that ends; with 2, and their names, if there is
 * none of that name. (test/soak/README.md)
 */
const FOLDER = `${import.meta.dirname}/../test/soak`

const [name, ...options] = process.argv.slice(2)
const file = `${FOLDER}/${name}.ts`
if (name === undefined || !/^[\w-]+$/.test(name) || !existsSync(file)) {
  const names = globSync(`${FOLDER}/*.ts`).map((path) => basename(path, '.ts'))
  process.stderr.write(`Which soak? npm run soak -- <name> [options]\n${names.sort().join('\n')}\n`)
  process.exit(2)
}

const soak = spawn(process.execPath, [file, ...options], { stdio: 'inherit' })
// A terminal interrupts both; the soak takes away what it has made, and its end is this one's.
process.on('SIGINT', () => {}).on('SIGTERM', () => soak.kill('SIGTERM'))
soak.on('exit', (code, signal) => {
  process.exitCode = code ?? 128 + constants.signals[signal!]
})
