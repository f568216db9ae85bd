import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { loadTriggers } from '../../src/automation/triggers/load-triggers.ts'
import type { Triggers } from '../../src/context.ts'

const folders: string[] = []
process.once('exit', () => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
})

/** A deployment's folder with these files, each with its text. */
export function writeDeployment(files: Readonly<Record<string, string>>): string {
  const deployment = mkdtempSync(join(tmpdir(), 'objectry-deployment-'))
  folders.push(deployment)
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(deployment, name)), { recursive: true })
    writeFileSync(join(deployment, name), text)
  }
  return deployment
}

/** The same with the files in its folder `triggers`. */
export const deploymentWith = (files: Readonly<Record<string, string>>): string =>
  writeDeployment(Object.fromEntries(Object.entries(files).map(([name, text]) => [`triggers/${name}`, text])))

export const triggersFrom = (files: Readonly<Record<string, string>>): Promise<Triggers> =>
  loadTriggers(deploymentWith(files))
