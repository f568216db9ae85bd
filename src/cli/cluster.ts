import { setTimeout as sleep } from 'node:timers/promises'
import { Command } from 'commander'
import type { Rebalance } from '../storage/orgs/cluster.ts'
import { addSettingFlags, type Flags } from './command/setting-flags.ts'
import type { Terminal } from './command/terminal.ts'
import type { ReachedOrg } from './reach/reached-org.ts'
import { readBody } from './reach/record-pages.ts'
import { listText } from './result/list-text.ts'
import { addJsonFlag, type Outcome } from './result/outcome.ts'
import { startProgress } from './result/progress.ts'
import { countText } from './result/terminal-text.ts'
import { type Work, type WorkContext, workIn } from './work/work-command.ts'

interface ListedNode {
  readonly node: string
  readonly isCoordinator: boolean
  readonly answers: boolean
  readonly takesOrgs: boolean
  readonly orgs: number
  readonly bytes: number | null
}

interface ClusterStatus {
  readonly nodes: readonly ListedNode[]
  readonly rebalance: Rebalance | null
}

const PATH = '/setup/cluster'

/** Milliseconds between two questions how far a rebalance is. */
const BETWEEN_QUESTIONS = 1000

/** States in which Citus goes on with the moves. */
const UNDER_WAY = ['scheduled', 'running', 'failing']

const orgsText = (count: number) => (count === 1 ? '1 org' : `${countText(count)} orgs`)

const movedText = ({ done, moves }: Rebalance) => `${countText(done)} of ${orgsText(moves)} moved`

function rebalanceText(rebalance: Rebalance | null): string {
  if (rebalance === null || !UNDER_WAY.includes(rebalance.state)) return ''
  const error =
    rebalance.error === null ? '' : `; a move failed and is tried again: ${rebalance.error.trim()}`
  return `\nMoving: ${movedText(rebalance)}${error}\n`
}

const showStatus: Work = async (org, _flags, { terminal }) => {
  const answer = await readBody<ClusterStatus>(org.call('GET', PATH))
  const rows = answer.nodes.map(({ node, isCoordinator, answers, takesOrgs, orgs, bytes }) => [
    node,
    isCoordinator ? 'coordinator' : 'worker',
    answers ? 'answers' : 'does not answer',
    takesOrgs ? 'yes' : 'no',
    orgs,
    bytes,
  ])
  const titles = ['node', 'role', 'state', 'takes orgs', 'orgs', 'bytes']
  const list = listText(terminal, titles, rows, 'The cluster has no nodes.')
  return { text: list + rebalanceText(answer.rebalance), answer }
}

/** Follows a rebalance to its end. It goes on by itself when this command is cut off. */
async function follow(
  org: ReachedOrg,
  { terminal, signal }: WorkContext,
  begun: Rebalance,
): Promise<Rebalance> {
  const words = (count: number) => `${countText(count)} of ${orgsText(begun.moves)} moved`
  const progress = startProgress(terminal, { total: begun.moves, words })
  try {
    for (let state = begun; ; state = await readBody<Rebalance>(org.call('GET', `${PATH}/rebalance`))) {
      progress.reach(state.done, state.done)
      if (!UNDER_WAY.includes(state.state)) return state
      await sleep(BETWEEN_QUESTIONS, undefined, { signal })
    }
  } finally {
    progress.stop()
  }
}

const moveAll =
  (path: string, bodyOf: (flags: Flags) => unknown): Work =>
  async (org, flags, context): Promise<Outcome> => {
    const begun = await readBody<Rebalance>(org.call('POST', `${PATH}/${path}`, bodyOf(flags)))
    if (begun.moves === 0) return { text: 'Nothing to move.\n', answer: begun }
    const ended = await follow(org, context, begun)
    if (ended.state === 'finished') return { text: `${movedText(ended)}.\n`, answer: ended }
    throw new Error(
      `The moves have ended before all were done: ${movedText(ended)}. ${ended.error?.trim() ?? ''} Mend that, and run it again to go on.`,
    )
  }

/** `objectry cluster status|rebalance|drain`: the nodes of a cluster, and what they have. */
export function clusterCommand(terminal: Terminal): Command {
  const flagged = (command: Command) =>
    addSettingFlags(addJsonFlag(command), ['databaseUrl', 'data', 'deployment'])
  const status = new Command('status').description(
    'Print the nodes, whether each answers, and how many orgs and bytes it has.',
  )
  const rebalance = new Command('rebalance').description(
    'Move orgs, while they are used, so that all nodes have about as much.',
  )
  const drain = new Command('drain')
    .description('Move all orgs away from a node, while they are used. It takes none from then on.')
    .argument('<host:port>', 'the node, as objectry cluster status names it')
  return new Command('cluster')
    .description('The nodes of a cluster: PostgreSQL with the extension Citus.')
    .addCommand(flagged(status).action((flags: Flags) => workIn(terminal, flags, {}, showStatus)))
    .addCommand(
      flagged(rebalance).action((flags: Flags) =>
        workIn(
          terminal,
          flags,
          {},
          moveAll('rebalance', () => undefined),
        ),
      ),
    )
    .addCommand(
      flagged(drain).action((node: string, flags: Flags) =>
        workIn(
          terminal,
          flags,
          {},
          moveAll('drain', () => ({ node })),
        ),
      ),
    )
}
