import { Command } from 'commander'
import type { AdvisedQuery, TriedBody } from '../admin/slow-queries.ts'
import { addOrgFlags, type Flags } from './command/setting-flags.ts'
import type { Terminal } from './command/terminal.ts'
import type { ReachedOrg } from './reach/reached-org.ts'
import { readBody } from './reach/record-pages.ts'
import { factsText } from './result/list-text.ts'
import { addJsonFlag, type Outcome } from './result/outcome.ts'
import { printable } from './result/terminal-text.ts'
import { workIn } from './work/work-command.ts'

const PATH = '/setup/orgs/current/slow-queries'

interface Advised extends AdvisedQuery {
  readonly tried?: TriedBody
}

/** Tries one index after the other: each blocks writes to its object meanwhile. */
async function tryAll(
  org: ReachedOrg,
  queries: readonly AdvisedQuery[],
  signal: AbortSignal,
): Promise<Advised[]> {
  const all: Advised[] = []
  for (const query of queries) {
    if (query.index === null || signal.aborted) all.push(query)
    else all.push({ ...query, tried: await readBody<TriedBody>(org.call('POST', `${PATH}/${query.id}/try`)) })
  }
  return all
}

const seconds = (milliseconds: number) => `${(milliseconds / 1000).toFixed(2)} s`
const cost = (value: number) => value.toFixed(0)

function describeAdvice({ object, definition, because, tried }: Advised): string {
  if (definition === null) return `none: ${because}`
  if (tried !== undefined && !tried.helps) return 'none: PostgreSQL gains little by the index that was tried'
  return `${object}: ${tried?.definition ?? definition}`
}

function queryText(advised: Advised): string {
  const { query, times, milliseconds, maxMilliseconds, lastAt, because, definition, tried } = advised
  const facts = factsText({
    times,
    'in all': seconds(milliseconds),
    longest: seconds(maxMilliseconds),
    last: lastAt,
    declare: describeAdvice(advised),
    why: definition === null || tried?.helps === false ? undefined : because,
    'planned cost': tried && `${cost(tried.costBefore)} without, ${cost(tried.costAfter)} with the index`,
  })
  return `${printable(query)}\n${facts}`
}

async function advise(org: ReachedOrg, flags: Flags, signal: AbortSignal): Promise<Outcome> {
  const found = await readBody<AdvisedQuery[]>(org.call('GET', PATH))
  const queries = flags.try === true ? await tryAll(org, found, signal) : found
  const none = 'No query was slow in the last seven days.\n'
  return { text: queries.length === 0 ? none : queries.map(queryText).join('\n'), answer: queries }
}

/** Which queries were slow, and which index would help. */
export function adviseCommand(terminal: Terminal): Command {
  const command = new Command('advise')
    .description('Print the slow queries of the last seven days, and the index to declare for each.')
    .option(
      '--try',
      'build each index in a transaction that is rolled back, and print the costs; writes to the object wait meanwhile',
    )
    .option('--clear', 'forget the queries so far')
  return addOrgFlags(addJsonFlag(command)).action((flags: Flags) =>
    workIn(terminal, flags, {}, async (org, _flags, { signal }) => {
      if (flags.clear !== true) return advise(org, flags, signal)
      await readBody(org.call('DELETE', PATH))
      return 'The slow queries were forgotten.\n'
    }),
  )
}
