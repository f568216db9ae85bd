import { writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { Command, Option } from 'commander'
import { makeApiVersion } from '../base/api-version.ts'
import { makeFolder } from '../base/make-folder.ts'
import { drain } from '../base/run-in-slices.ts'
import type { DefinitionFiles } from '../definitions/formats/object-file.ts'
import { UsageError } from './command/exit-codes.ts'
import { runCommand } from './command/run-command.ts'
import { addOrgFlags, configFrom, type Flags } from './command/setting-flags.ts'
import type { Terminal } from './command/terminal.ts'
import { reachOrg } from './reach/reach-org.ts'
import { readBody } from './reach/record-pages.ts'
import { addJsonFlag, jsonText } from './result/outcome.ts'
import { showWait } from './result/show-wait.ts'

const FORMATS = ['definitions', 'source', 'metadata'] as const

interface ExportFlags extends Flags {
  readonly into?: string
  readonly format: (typeof FORMATS)[number]
}

/** Writes what was exported, and says what the format leaves out. */
function saveTexts(
  { stderr }: Terminal,
  folder: string,
  { files, notes }: { readonly files: ReadonlyMap<string, string>; readonly notes: readonly string[] },
): string[] {
  for (const [path, text] of files) {
    makeFolder(dirname(join(folder, path)))
    writeFileSync(join(folder, path), text)
  }
  for (const note of notes) stderr.write(`${note}\n`)
  return [...files.keys()]
}

/** Writes metadata files in source format. */
async function saveAsSource(terminal: Terminal, folder: string, files: DefinitionFiles): Promise<string[]> {
  const { exportSourceFormat } = await import('../exporters/source-format/export-source-format.ts')
  return saveTexts(terminal, folder, exportSourceFormat(files))
}

/** Writes metadata files with everything of an object in its own, and a manifest of them. */
async function saveAsMetadata(
  terminal: Terminal,
  folder: string,
  definitions: DefinitionFiles,
): Promise<string[]> {
  const { exportMetadataFormat } = await import('../exporters/metadata-format/export-metadata-format.ts')
  const { writeManifest } = await import('../exporters/metadata-format/type-members.ts')
  const { files, members, notes } = drain(exportMetadataFormat(definitions))
  const texts = new Map(files.map(({ path, text }) => [path, text]))
  const newest = makeApiVersion(configFrom(terminal, {}).versions.at(-1)!)
  if (files.length > 0) texts.set('package.xml', writeManifest(members, newest.text))
  return saveTexts(terminal, folder, { files: texts, notes })
}

/** Writes definition files with the schemas by which editors know them. */
async function saveDefinitionFiles(_: Terminal, folder: string, files: DefinitionFiles): Promise<string[]> {
  const { saveDefinitions } = await import('../definitions/files/save-definitions.ts')
  const { EDITOR_SCHEMAS } = await import('../definitions/formats/editor-schema.ts')
  makeFolder(folder)
  const saved = saveDefinitions(folder, files)
  for (const [name, make] of Object.entries(EDITOR_SCHEMAS)) {
    writeFileSync(join(folder, name), `${JSON.stringify(make(), null, 2)}\n`)
  }
  return saved
}

const SAVE = {
  definitions: saveDefinitionFiles,
  source: saveAsSource,
  metadata: saveAsMetadata,
} as const satisfies Record<ExportFlags['format'], unknown>

/** Folders to export to as they are written in examples. */
const EXAMPLES = {
  definitions: '--into deployment',
  source: '--format source --into force-app/main/default',
  metadata: '--format metadata --into metadata',
} as const satisfies Record<ExportFlags['format'], string>

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
    const { format } = flags
    const folder =
      flags.into ?? (format === 'definitions' ? configFrom(terminal, flags).deployment : undefined)
    if (folder === undefined) throw new UsageError(`Where to? objectry schema export ${EXAMPLES[format]}`)
    const saved = await SAVE[format](terminal, folder, await fetchSchema(terminal, flags))
    for (const path of saved) terminal.stdout.write(`${join(folder, path)}\n`)
    if (saved.length === 0) terminal.stdout.write('The org has the standard objects and nothing else.\n')
  })
}

/** `objectry schema export`: writes an org's own objects as definition files. */
export function schemaExportCommand(terminal: Terminal): Command {
  const command = new Command('export')
    .description("Write the org's own objects as definition files, or in source or metadata format.")
    .addOption(
      new Option(
        '--format <format>',
        'definition files, or metadata files: of a project in source format, or in metadata format',
      )
        .choices(FORMATS)
        .default('definitions'),
    )
    .option('--into <folder>', 'the deployment folder; default OBJECTRY_DEPLOYMENT')
  return addOrgFlags(addJsonFlag(command), ['deployment']).action((flags: ExportFlags) =>
    exportSchema(terminal, flags),
  )
}
