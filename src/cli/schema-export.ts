import { writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { Command, Option } from 'commander'
import { makeFolder } from '../base/make-folder.ts'
import type { DefinitionFiles } from '../definitions/formats/object-file.ts'
import { UsageError } from './command/exit-codes.ts'
import { runCommand } from './command/run-command.ts'
import { addOrgFlags, configFrom, type Flags } from './command/setting-flags.ts'
import type { Terminal } from './command/terminal.ts'
import { reachOrg } from './reach/reach-org.ts'
import { readBody } from './reach/record-pages.ts'
import { addJsonFlag, jsonText } from './result/outcome.ts'
import { showWait } from './result/show-wait.ts'

interface ExportFlags extends Flags {
  readonly into?: string
  readonly format: 'definitions' | 'source'
}

/** Writes metadata files in source format, and says what they leave out. */
async function saveAsSource({ stderr }: Terminal, folder: string, files: DefinitionFiles): Promise<string[]> {
  const { exportSourceFormat } = await import('../exporters/source-format/export-source-format.ts')
  const { files: texts, notes } = exportSourceFormat(files)
  for (const [path, text] of texts) {
    makeFolder(dirname(join(folder, path)))
    writeFileSync(join(folder, path), text)
  }
  for (const note of notes) stderr.write(`${note}\n`)
  return [...texts.keys()]
}

/** Writes definition files with the schemas by which editors know them. */
async function save(folder: string, files: DefinitionFiles): Promise<string[]> {
  const { saveDefinitions } = await import('../definitions/files/save-definitions.ts')
  const { EDITOR_SCHEMAS } = await import('../definitions/formats/editor-schema.ts')
  makeFolder(folder)
  const saved = saveDefinitions(folder, files)
  for (const [name, make] of Object.entries(EDITOR_SCHEMAS)) {
    writeFileSync(join(folder, name), `${JSON.stringify(make(), null, 2)}\n`)
  }
  return saved
}

/** The definitions of the org in one answer. */
async function fetchSchema(terminal: Terminal, flags: ExportFlags): Promise<DefinitionFiles> {
  const org = await reachOrg(terminal, configFrom(terminal, flags), flags)
  try {
    return await showWait(terminal, 'Reading the schema', () =>
      readBody<DefinitionFiles>(org.call('GET', '/setup/orgs/current/schema')),
    )
  } finally {
    await org.close()
  }
}

async function exportSchema(terminal: Terminal, flags: ExportFlags): Promise<void> {
  await runCommand(terminal, async () => {
    if (flags.json === true) {
      terminal.stdout.write(jsonText(await fetchSchema(terminal, flags)))
      return
    }
    const isSource = flags.format === 'source'
    const folder = flags.into ?? (isSource ? undefined : configFrom(terminal, flags).deployment)
    if (folder === undefined)
      throw new UsageError(
        isSource
          ? 'Where to? objectry schema export --format source --into force-app/main/default'
          : 'Where to? objectry schema export --into deployment',
      )
    const files = await fetchSchema(terminal, flags)
    const saved = await (isSource ? saveAsSource(terminal, folder, files) : save(folder, files))
    for (const path of saved) terminal.stdout.write(`${join(folder, path)}\n`)
    if (saved.length === 0) terminal.stdout.write('The org has the standard objects and nothing else.\n')
  })
}

/** `objectry schema export`: writes an org's own objects as definition files. */
export function schemaExportCommand(terminal: Terminal): Command {
  const command = new Command('export')
    .description("Write the org's own objects as definition files, or in source format.")
    .addOption(
      new Option('--format <format>', 'definition files, or metadata files of a project in source format')
        .choices(['definitions', 'source'])
        .default('definitions'),
    )
    .option('--into <folder>', 'the deployment folder; default OBJECTRY_DEPLOYMENT')
  return addOrgFlags(addJsonFlag(command), ['deployment']).action((flags: ExportFlags) =>
    exportSchema(terminal, flags),
  )
}
