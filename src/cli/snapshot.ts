import { Command } from 'commander'
import type { ListedSnapshot, OrgSnapshot } from '../deployment/snapshots/snapshots.ts'
import { runCommand } from './command/run-command.ts'
import { addOrgFlags, configFrom, type Flags } from './command/setting-flags.ts'
import { reachOrg } from './reach/reach-org.ts'
import type { ReachedOrg } from './reach/reached-org.ts'
import { readBody } from './reach/record-pages.ts'

/** The snapshot that commands mean which name none. */
const USUAL = 'start'

const ORG = '/setup/orgs/current'

const pathOf = (name: string) => `${ORG}/snapshots/${encodeURIComponent(name)}`

const records = (count: number) => `${count.toLocaleString('en-US')} record${count === 1 ? '' : 's'}`

type Work = (org: ReachedOrg, name: string) => Promise<string>

const save: Work = async (org, name) => {
  const saved = await readBody<OrgSnapshot>(org.call('PUT', pathOf(name)))
  return `Saved ${saved.name}: ${records(saved.records)}. Back to it: objectry snapshot restore ${saved.name}\n`
}

const restore: Work = async (org, name) => {
  const began = performance.now()
  const restored = await readBody<OrgSnapshot>(org.call('POST', `${ORG}/restore`, { snapshot: name }))
  const milliseconds = Math.round(performance.now() - began)
  return `Restored ${restored.name}: ${records(restored.records)} in ${milliseconds} ms.\n`
}

const remove: Work = async (org, name) => {
  await readBody(org.call('DELETE', pathOf(name)))
  return `Deleted ${name}.\n`
}

const list: Work = async (org) => {
  type Listed = Omit<ListedSnapshot, 'createdAt'> & { readonly createdAt: string }
  const snapshots = await readBody<Listed[]>(org.call('GET', `${ORG}/snapshots`))
  if (snapshots.length === 0) return 'There is none yet. Save one: objectry snapshot save\n'
  return snapshots
    .map(({ name, records: count, createdAt }) => `${createdAt}  ${name}  ${records(count)}\n`)
    .join('')
}

const run = (work: Work) => async (name: string, flags: Flags) => {
  await runCommand(async () => {
    const org = await reachOrg(configFrom(flags), flags)
    try {
      process.stdout.write(await work(org, name))
    } finally {
      await org.close()
    }
  })
}

function named(verb: string, description: string, work: Work): Command {
  return addOrgFlags(new Command(verb).description(description).argument('[name]', 'its name', USUAL)).action(
    run(work),
  )
}

/** `objectry snapshot save|restore|list|delete`: states of an org that it can be put back to. */
export function snapshotCommand(): Command {
  const listed = addOrgFlags(new Command('list').description('Print the snapshots of the org.'))
  return new Command('snapshot')
    .description('States of an org that it can be put back to.')
    .addCommand(named('save', 'Keep the org as it is now: its schema and every record.', save))
    .addCommand(named('restore', 'Put the org back to a snapshot.', restore))
    .addCommand(named('delete', 'Delete a snapshot.', remove))
    .addCommand(listed.action((flags: Flags) => run(list)('', flags)))
}
