import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Document, stringify, visit } from 'yaml'
import { makeFolder } from '../../base/make-folder.ts'
import { makeFileName } from '../formats/definition-name.ts'
import type { DefinitionFiles } from '../formats/object-file.ts'
import { PERMISSION_KINDS } from '../formats/permission-rights.ts'
import { DEFINITION_KINDS, type DefinitionKind, FOLDERS } from './has-definitions.ts'

/** Lists and maps up to this many characters are written on one line. */
const MAX_INLINE_CHARACTERS = 100

/** Writes rights on one line: `Account: [read, edit]`. */
function formatPermissions(content: unknown): string {
  const document = new Document(content)
  visit(document, {
    Seq(_, list) {
      list.flow = true
    },
  })
  return document.toString({ lineWidth: MAX_INLINE_CHARACTERS, flowCollectionPadding: false })
}

function formatFile(kind: DefinitionKind, content: unknown): string {
  const isPermission = PERMISSION_KINDS.some((permission) => permission === kind)
  const text = isPermission
    ? formatPermissions(content)
    : stringify(content, { lineWidth: MAX_INLINE_CHARACTERS, collectionStyle: 'any' })
  return `# yaml-language-server: $schema=../${FOLDERS[kind]}.schema.json\n${text}`
}

/**
 * Writes definition files into a deployment's folders.
 * @returns the paths of the files below the deployment
 */
export function saveDefinitions(deployment: string, files: DefinitionFiles): string[] {
  const saved: string[] = []
  for (const kind of DEFINITION_KINDS) {
    const folder = FOLDERS[kind]
    for (const [name, content] of Object.entries<unknown>(files[kind] ?? {})) {
      makeFolder(join(deployment, folder))
      const path = `${folder}/${makeFileName(name)}.yaml`
      writeFileSync(join(deployment, path), formatFile(kind, content ?? {}))
      saved.push(path)
    }
  }
  return saved
}
