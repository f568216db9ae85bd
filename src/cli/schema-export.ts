import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Command } from 'commander'
import type { DefinitionFiles } from '../deployment/definitions/object-file.ts'
import { runCommand } from './command/run-command.ts'
import { addOrgFlags, configFrom, type Flags } from './command/setting-flags.ts'
import { reachOrg } from './reach/reach-org.ts'
import { readBody } from './reach/record-pages.ts'

interface ExportFlags extends Flags {
  readonly into?: string
}

/** Writes definition files with the schemas by which editors know them. */
async function save(folder: string, files: DefinitionFiles): Promise<string[]> {
  const { saveDefinitions } = await import('../deployment/definitions/save-definitions.ts')
  const { EDITOR_SCHEMAS } = await import('../deployment/definitions/editor-schema.ts')
  mkdirSync(folder, { recursive: true })
  const saved = saveDefinitions(folder, files)
  for (const [name, make] of Object.entries(EDITOR_SCHEMAS)) {
    writeFileSync(join(folder, name), `${JSON.stringify(make(), null, 2)}\n`)
  }
  return saved
}

async function exportSchema(flags: ExportFlags): Promise<void> {
  await runCommand(async () => {
    const config = configFrom(flags)
    const folder = flags.into ?? config.deployment
    if (folder === undefined) throw new Error('Where to? objectry schema export --into deployment')
    const org = await reachOrg(config, flags)
    try {
      const files = await readBody<DefinitionFiles>(org.call('GET', '/setup/orgs/current/schema'))
      const saved = await save(folder, files)
      for (const path of saved) process.stdout.write(`${join(folder, path)}\n`)
      if (saved.length === 0) process.stdout.write('The org has the standard objects and nothing else.\n')
    } finally {
      await org.close()
    }
  })
}

/** `objectry schema export`: writes an org's own objects as definition files. */
export function schemaExportCommand(): Command {
  const command = new Command('export')
    .description("Write the org's own objects as definition files.")
    .option('--into <folder>', 'the deployment folder; default OBJECTRY_DEPLOYMENT')
  return addOrgFlags(command, ['deployment']).action(exportSchema)
}
