import { Command } from 'commander'
import type { ListedSnapshot, OrgSnapshot, Restored } from '../orgs/snapshots/snapshots.ts'
import { addOrgFlags, type Flags } from './command/setting-flags.ts'
import type { Terminal } from './command/terminal.ts'
import type { ReachedOrg } from './reach/reached-org.ts'
import { readBody } from './reach/record-pages.ts'
import { listText } from './result/list-text.ts'
import { addJsonFlag, type Outcome } from './result/outcome.ts'
import { showWait } from './result/show-wait.ts'
import { recordsText } from './result/terminal-text.ts'
import { workIn } from './work/work-command.ts'

/** The snapshot that commands mean which name none. */
const USUAL = 'start'

const ORG = '/setup/orgs/current'

const pathOf = (name: string) => `${ORG}/snapshots/${encodeURIComponent(name)}`

type Work = (org: ReachedOrg, name: string, terminal: Terminal) => Promise<Outcome | string>

const save: Work = async (org, name, terminal) => {
  const saved = await showWait(terminal, `Saving ${name}`, () =>
    readBody<OrgSnapshot>(org.call('PUT', pathOf(name))),
  )
  const text =
    `Saved ${saved.name}: ${recordsText(saved.records)}. Back to it: objectry snapshot restore ${saved.name}\n` +
    'A restore takes away users, apps and permission sets that are made from now on.\n'
  return { text, answer: saved }
}

const restore: Work = async (org, name, terminal) => {
  const began = performance.now()
  const restored = await showWait(terminal, `Restoring ${name}`, () =>
    readBody<Restored>(org.call('POST', `${ORG}/restore`, { snapshot: name })),
  )
  const milliseconds = Math.round(performance.now() - began)
  const { reactivatedUsers, unblockedApps } = restored
  const text = [
    `Restored ${restored.name}: ${recordsText(restored.records)} in ${milliseconds} ms.`,
    ...(reactivatedUsers ? [`Active again, deactivated since: ${reactivatedUsers.join(', ')}`] : []),
    ...(unblockedApps ? [`Work again, blocked or deleted since: ${unblockedApps.join(', ')}`] : []),
  ]
    .map((line) => `${line}\n`)
    .join('')
  return { text, answer: restored }
}

const remove: Work = async (org, name, terminal) => {
  await showWait(terminal, `Deleting ${name}`, () => readBody(org.call('DELETE', pathOf(name))))
  return `Deleted ${name}.\n`
}

const list: Work = async (org, _name, terminal) => {
  type Listed = Omit<ListedSnapshot, 'createdAt'> & { readonly createdAt: string }
  const snapshots = await readBody<Listed[]>(org.call('GET', `${ORG}/snapshots`))
  const rows = snapshots.map(({ name, records: count, createdAt }) => [name, createdAt, count])
  const none = 'There is none yet. Save one: objectry snapshot save'
  return { text: listText(terminal, ['name', 'saved', 'records'], rows, none), answer: snapshots }
}

const run = (terminal: Terminal, work: Work) => (name: string, flags: Flags) =>
  workIn(terminal, flags, {}, (org) => work(org, name, terminal))

const named = (verb: string, description: string) =>
  addOrgFlags(new Command(verb).description(description).argument('[name]', 'its name', USUAL))

const RESTORE = 'Put the org back to a snapshot: what was made since goes, users and apps too.'

/** `objectry snapshot save|restore|list|delete`: states of an org that it can be put back to. */
export function snapshotCommand(terminal: Terminal): Command {
  const listed = addOrgFlags(new Command('list').description('Print the snapshots of the org.'))
  const saved = named('save', 'Keep the org as it is now: its schema and every record, users and apps too.')
  return new Command('snapshot')
    .description('States of an org that it can be put back to.')
    .addCommand(addJsonFlag(saved).action(run(terminal, save)))
    .addCommand(addJsonFlag(named('restore', RESTORE)).action(run(terminal, restore)))
    .addCommand(named('delete', 'Delete a snapshot.').action(run(terminal, remove)))
    .addCommand(addJsonFlag(listed).action((flags: Flags) => run(terminal, list)('', flags)))
}
