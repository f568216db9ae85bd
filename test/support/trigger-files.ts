import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Triggers } from '../../src/context.ts'
import { loadTriggers } from '../../src/deployment/triggers/load-triggers.ts'

const folders: string[] = []
process.once('exit', () => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
})

/** A deployment's folder with these files in `triggers`, each with its text. */
export function deploymentWith(files: Readonly<Record<string, string>>): string {
  const deployment = mkdtempSync(join(tmpdir(), 'objectry-deployment-'))
  folders.push(deployment)
  mkdirSync(join(deployment, 'triggers'))
  for (const [name, text] of Object.entries(files)) writeFileSync(join(deployment, 'triggers', name), text)
  return deployment
}

export const triggersFrom = (files: Readonly<Record<string, string>>): Promise<Triggers> =>
  loadTriggers(deploymentWith(files))
