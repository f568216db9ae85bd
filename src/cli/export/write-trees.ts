import { join } from 'node:path'
import { makeFolder } from '../../base/make-folder.ts'
import { UsageError } from '../command/exit-codes.ts'
import type { Terminal } from '../command/terminal.ts'
import { countRecords } from '../import/tree-references.ts'
import { jsonText } from '../result/outcome.ts'
import { writeText } from '../result/write-out.ts'
import type { TreeRecord } from './make-trees.ts'

/** As many records as one file may have, with those below them. */
const MAX_RECORDS = 200

/** The trees of one object. */
export interface Section {
  readonly object: string
  readonly trees: readonly TreeRecord[]
}

function parts({ object, trees }: Section): TreeRecord[][] {
  const files: TreeRecord[][] = []
  let room = 0
  for (const tree of trees) {
    const count = countRecords(tree)
    if (count > MAX_RECORDS) {
      throw new Error(
        `A record of ${object} has ${count - 1} records below it; a tree may have ${MAX_RECORDS} in all. Export the objects one after the other instead: --object ${object} --object ...`,
      )
    }
    if (count > room) {
      files.push([])
      room = MAX_RECORDS
    }
    files.at(-1)!.push(tree)
    room -= count
  }
  return files
}

/** A file for every 200 records, and the plan that names them in their order. */
async function writeFolder(
  terminal: Terminal,
  sections: readonly Section[],
  folder: string,
): Promise<string> {
  makeFolder(folder)
  const plan: object[] = []
  for (const section of sections) {
    const { object } = section
    const split = parts(section)
    const files = split.map((_, at) => (split.length === 1 ? `${object}.json` : `${object}-${at + 1}.json`))
    for (const [at, records] of split.entries())
      await writeText(terminal, jsonText({ records }), join(folder, files[at]!))
    plan.push({ sobject: object, saveRefs: true, resolveRefs: true, files })
  }
  const path = join(folder, `${sections.map(({ object }) => object).join('-')}-plan.json`)
  await writeText(terminal, jsonText(plan), path)
  return path
}

/**
 * Writes trees as sf reads them: into one file where they fit, else into a folder with a plan.
 * @param output a name that ends in `.json` is a file, any other a folder; without one it is standard output
 * @returns the file that an import is to be given
 */
export async function writeTrees(
  terminal: Terminal,
  sections: readonly Section[],
  output: string | undefined,
): Promise<string | undefined> {
  const isFolder = output !== undefined && !output.endsWith('.json')
  if (isFolder) return writeFolder(terminal, sections, output)
  const [section] = sections
  const [records = [], ...more] = parts(section!)
  if (sections.length > 1 || more.length > 0) {
    throw new UsageError(
      `These are ${sections.length > 1 ? 'several objects' : `more than ${MAX_RECORDS} records`}: they need several files and a plan. Name a folder for them: --output data`,
    )
  }
  await writeText(terminal, jsonText({ records }), output)
  return output
}
