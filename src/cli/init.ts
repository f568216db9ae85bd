import { existsSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { Command } from 'commander'
import { makeFolder } from '../base/make-folder.ts'
import { runCommand } from './command/run-command.ts'
import type { Flags } from './command/setting-flags.ts'
import type { Terminal } from './command/terminal.ts'
import { addJsonFlag, outcomeText } from './result/outcome.ts'

/** @throws Error when a file of the same name is there: nothing was written */
function writeNew(folder: string, files: ReadonlyMap<string, string>): void {
  const there = [...files.keys()].filter((path) => existsSync(join(folder, path)))
  if (there.length > 0)
    throw new Error(`Nothing was written: ${folder} has ${there.join(', ')} already. Name another folder.`)
  makeFolder(folder)
  for (const [path, text] of files) {
    makeFolder(dirname(join(folder, path)))
    writeFileSync(join(folder, path), text, { flag: 'wx' })
  }
}

async function init(terminal: Terminal, folder: string, flags: Flags, objectry: string): Promise<void> {
  await runCommand(terminal, async () => {
    // The files are loaded for this command only.
    const { installText, projectFiles } = await import('./init/project-files.ts')
    const files = projectFiles(objectry)
    writeNew(folder, files)
    const written = [...files.keys()]
    const next = [...(folder === '.' ? [] : [`cd ${folder}`]), 'npm install', 'npm test', 'npm start']
    const text = `Wrote ${written.length} files into ${folder}:\n${written.map((path) => `  ${path}\n`).join('')}\nNext:\n${next.map((line) => `  ${line}\n`).join('')}${objectry.startsWith('file:') ? '' : `\n${installText(objectry)}\n`}`
    terminal.stdout.write(outcomeText({ text, answer: { folder, written, next } }, flags))
  })
}

/**
 * `objectry init records`: a project that runs.
 * @param findObjectry finds what npm installs in it as Objectry: a range of versions, a packed file or the folder of a checkout
 */
export function initCommand(terminal: Terminal, findObjectry: () => string): Command {
  const command = new Command('init')
    .description('Write the files of a project: objects, a trigger, a resource, a job and a test.')
    .argument('[folder]', 'where to; it is made when it is not there', '.')
  return addJsonFlag(command).action((folder: string, flags: Flags) =>
    init(terminal, folder, flags, findObjectry()),
  )
}
