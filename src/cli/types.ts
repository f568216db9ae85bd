import { join } from 'node:path'
import { Command } from 'commander'
import { runCommand } from './command/run-command.ts'
import { addOrgFlags, configFrom, type Flags } from './command/setting-flags.ts'
import type { Terminal } from './command/terminal.ts'
import { reachOrg } from './reach/reach-org.ts'
import type { ReachedOrg } from './reach/reached-org.ts'
import { readBody } from './reach/record-pages.ts'
import { showWait } from './result/show-wait.ts'
import { writeText } from './result/write-out.ts'
import { type DescribedObject, makeDeclarations } from './types/declarations.ts'

interface TypesFlags extends Flags {
  readonly output?: string
}

/** Every object of the org, described. */
async function describeAll(org: ReachedOrg, signal: AbortSignal): Promise<DescribedObject[]> {
  const { sobjects } = await readBody<{ sobjects: { name: string }[] }>(org.call('GET', '/sobjects'))
  const objects: DescribedObject[] = []
  for (const { name } of sobjects) {
    signal.throwIfAborted()
    objects.push(await readBody<DescribedObject>(org.call('GET', `/sobjects/${name}/describe`)))
  }
  return objects
}

async function types(terminal: Terminal, flags: TypesFlags): Promise<void> {
  await runCommand(terminal, async (signal) => {
    const config = configFrom(terminal, flags)
    const file = flags.output ?? (config.deployment && join(config.deployment, 'objectry.d.ts'))
    const org = await reachOrg(terminal, config, flags)
    try {
      const objects = await showWait(terminal, 'Describing the objects', () => describeAll(org, signal))
      await writeText(terminal, makeDeclarations(objects), file)
      if (file !== undefined) terminal.stderr.write(`${file}: ${objects.length} objects\n`)
    } finally {
      await org.close()
    }
  })
}

/** `objectry types`: TypeScript declarations of the org's objects, for its code. */
export function typesCommand(terminal: Terminal): Command {
  const command = new Command('types')
    .description("Write TypeScript declarations of the org's objects, for its code.")
    .option(
      '--output <file>',
      'where to; default objectry.d.ts in the deployment folder, else standard output',
    )
  return addOrgFlags(command, ['deployment']).action((flags: TypesFlags) => types(terminal, flags))
}
