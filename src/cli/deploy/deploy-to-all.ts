import { setTimeout as sleep } from 'node:timers/promises'
import type { CommonState } from '../../definitions/common/common-definitions.ts'
import type { DefinitionFiles } from '../../definitions/formats/object-file.ts'
import type { Terminal } from '../command/terminal.ts'
import type { ReachedOrg } from '../reach/reached-org.ts'
import { readBody } from '../reach/record-pages.ts'
import { jsonText } from '../result/outcome.ts'
import { startProgress } from '../result/progress.ts'
import { countText } from '../result/terminal-text.ts'

interface Options {
  readonly allowDestructive: boolean
  readonly keep: boolean
  readonly json: boolean
}

const PATH = '/setup/schema'

/** Milliseconds between two questions how far the orgs are. */
const BETWEEN_QUESTIONS = 300

const orgsText = (count: number) => (count === 1 ? '1 org' : `${countText(count)} orgs`)

/** Asks until no org waits any more. */
async function awaitAll(terminal: Terminal, org: ReachedOrg, first: CommonState): Promise<CommonState> {
  const total = first.pending
  const words = (count: number) => `${countText(count)} of ${orgsText(total)}`
  const progress = startProgress(terminal, { total, words })
  try {
    for (let state = first; ; state = await readBody<CommonState>(org.call('GET', PATH))) {
      const done = Math.max(0, total - state.pending)
      progress.reach(done, done)
      if (state.fingerprint !== first.fingerprint) {
        throw new Error(
          'Other definitions have taken their place: a server was started with its own, or somebody else has deployed to all orgs. See who, and run it again.',
        )
      }
      if (state.pending === 0) return state
      await sleep(BETWEEN_QUESTIONS)
    }
  } finally {
    progress.stop()
  }
}

/**
 * Deploys to all orgs of the server, which goes on by itself when this command is cut off.
 * @throws Error if orgs refused it
 */
export async function deployToAll(
  terminal: Terminal,
  org: ReachedOrg,
  files: DefinitionFiles,
  { allowDestructive, keep, json }: Options,
): Promise<void> {
  const body = { ...files, mode: keep ? 'keep' : 'replace', allowDestructive }
  const state = await awaitAll(terminal, org, await readBody<CommonState>(org.call('PUT', PATH, body)))
  const { orgs, done, failures } = state
  const refused = failures.map(({ name, id, error }) => `  ! ${name} (${id}): ${error}\n`).join('')
  terminal.stdout.write(
    json ? jsonText(state) : `${countText(done)} of ${orgsText(orgs)} have it.\n${refused}`,
  )
  if (failures.length > 0) {
    throw new Error(
      'The orgs that are marked with ! did not take it. They are tried again by themselves; or mend the definitions, and run it again.',
    )
  }
  if (done < orgs) {
    throw new Error(
      'The others do not have it: the deployment was stopped, or they have changed since. Run it again to go on.',
    )
  }
}

/** Leaves the orgs alone that wait. */
export async function stopDeployment(terminal: Terminal, org: ReachedOrg, json: boolean): Promise<void> {
  await readBody(org.call('DELETE', PATH))
  const state = await readBody<CommonState>(org.call('GET', PATH))
  const { orgs, done } = state
  if (json) terminal.stdout.write(jsonText(state))
  else
    terminal.stdout.write(
      `Stopped: ${countText(done)} of ${orgsText(orgs)} have it. Run objectry deploy --all-orgs to go on.\n`,
    )
}
