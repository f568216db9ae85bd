import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { stringify } from 'yaml'
import { makeFileName } from './definition-name.ts'
import { DEFINITION_KINDS, FOLDERS } from './has-definitions.ts'
import type { DefinitionFiles } from './object-file.ts'

/** Lists and maps up to this many characters are written on one line. */
const MAX_INLINE_CHARACTERS = 100

const formatFile = (schema: string, content: unknown) =>
  `# yaml-language-server: $schema=${schema}\n${stringify(content, { lineWidth: MAX_INLINE_CHARACTERS, collectionStyle: 'any' })}`

/**
 * Writes definition files into a deployment's folders.
 * @returns the paths of the files below the deployment
 */
export function saveDefinitions(deployment: string, files: DefinitionFiles): string[] {
  const saved: string[] = []
  for (const kind of DEFINITION_KINDS) {
    const folder = FOLDERS[kind]
    for (const [name, content] of Object.entries<unknown>(files[kind] ?? {})) {
      mkdirSync(join(deployment, folder), { recursive: true })
      const path = `${folder}/${makeFileName(name)}.yaml`
      writeFileSync(join(deployment, path), formatFile(`../${folder}.schema.json`, content ?? {}))
      saved.push(path)
    }
  }
  return saved
}
