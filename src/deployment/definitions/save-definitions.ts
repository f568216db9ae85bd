import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { stringify } from 'yaml'
import type { DefinitionFiles } from './object-file.ts'

/** Lists and maps up to this many characters are written on one line. */
const MAX_INLINE_CHARACTERS = 100

const formatFile = (schema: string, content: unknown) =>
  `# yaml-language-server: $schema=${schema}\n${stringify(content, { lineWidth: MAX_INLINE_CHARACTERS, collectionStyle: 'any' })}`

/**
 * Writes definition files into a deployment's folders.
 * @returns the paths of the files below the deployment
 */
export function saveDefinitions(deployment: string, { objects, valueSets }: DefinitionFiles): string[] {
  const saved: string[] = []
  const save = (folder: string, name: string, content: unknown) => {
    mkdirSync(join(deployment, folder), { recursive: true })
    const path = `${folder}/${name}.yaml`
    writeFileSync(join(deployment, path), formatFile(`../${folder}.schema.json`, content))
    saved.push(path)
  }
  for (const [name, file] of Object.entries(objects)) save('objects', name, file ?? {})
  for (const [name, file] of Object.entries(valueSets)) save('value-sets', name, file)
  return saved
}
