import { Command } from 'commander'
import type { WorkCounts } from '../admin/work-handlers.ts'
import { addOrgFlags, type Flags } from './command/setting-flags.ts'
import type { Terminal } from './command/terminal.ts'
import { readBody } from './reach/record-pages.ts'
import { factsText, listText } from './result/list-text.ts'
import { addJsonFlag } from './result/outcome.ts'
import { countText, printableLines } from './result/terminal-text.ts'
import type { Replayable } from './work/replay.ts'
import { makeFilter, newestCommand, replayCommand, type Work, workIn } from './work/work-command.ts'

const WEBHOOKS = '/setup/orgs/current/webhooks'

const DELIVERIES: Replayable = {
  path: WEBHOOKS,
  items: 'deliveries',
  owner: 'receiver',
  item: 'delivery',
}

interface Receiver extends WorkCounts {
  readonly name: string
  readonly path: string | null
  readonly object: string | null
  readonly signature: string | null
}

interface Delivery {
  readonly id: string
  readonly receiver: string
  readonly status: string
  readonly attempts: number
  readonly receivedAt: string
  readonly lastAttemptAt: string | null
  readonly nextAttemptAt: string | null
  readonly isReplay: boolean
  readonly eventId: string | null
  readonly outcome: string | null
  readonly eventRecordId: string | null
  readonly bodyLength: number
  readonly lastError: string | null
}

interface WholeDelivery extends Delivery {
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  readonly bodyEncoding: string
}

const list: Work = async (org, _flags, { terminal }) => {
  const receivers = await readBody<Receiver[]>(org.call('GET', WEBHOOKS))
  const titles = ['name', 'path', 'object', 'signature', 'queued', 'done', 'retrying', 'dead']
  const rows = receivers.map(({ name, path, object, signature, queued, done, retrying, dead }) => [
    ...[name, path, object, signature],
    ...[queued, done, retrying, dead],
  ])
  return { text: listText(terminal, titles, rows, 'The deployment has no receivers.'), answer: receivers }
}

const deliveries: Work = async (org, flags, { terminal }) => {
  const found = await readBody<Delivery[]>(
    org.call('GET', `${WEBHOOKS}/deliveries${makeFilter(flags, 'receiver')}`),
  )
  const titles = ['id', 'received', 'receiver', 'status', 'attempts', 'event', 'error']
  const rows = found.map(({ id, receivedAt, receiver, status, attempts, eventId, lastError }) => [
    ...[id, receivedAt, receiver, status],
    ...[attempts, eventId, lastError],
  ])
  return { text: listText(terminal, titles, rows, 'There are no such deliveries.'), answer: found }
}

function shownText(delivery: WholeDelivery): string {
  const { id, receiver, status, attempts, headers, body, bodyEncoding, lastError } = delivery
  const facts = factsText({
    receiver,
    status,
    attempts,
    received: delivery.receivedAt,
    'last attempt': delivery.lastAttemptAt,
    'next attempt': delivery.nextAttemptAt,
    replayed: delivery.isReplay ? 'yes' : null,
    event: delivery.eventId,
    outcome: delivery.outcome,
    record: delivery.eventRecordId,
  })
  const encoding = bodyEncoding === 'base64' ? ', in base64' : ''
  return [
    `${id}\n${facts}`,
    ...(lastError === null ? [] : [`error\n${printableLines(lastError)}\n`]),
    `headers\n${factsText(headers)}`,
    `body of ${countText(delivery.bodyLength)} bytes${encoding}\n${printableLines(body)}\n`,
  ].join('\n')
}

const show =
  (terminal: Terminal) =>
  (id: string, flags: Flags): Promise<void> =>
    workIn(terminal, flags, {}, async (org) => {
      const path = `${WEBHOOKS}/deliveries/${encodeURIComponent(id)}`
      const answer = await readBody<WholeDelivery>(org.call('GET', path))
      return { text: shownText(answer), answer }
    })

/** `objectry webhook list|deliveries|show|replay`: the receivers of signed deliveries, and what became of those. */
export function webhookCommand(terminal: Terminal): Command {
  const listing = new Command('list').description('Print the receivers, with how many deliveries each has.')
  const showing = new Command('show').description('Print everything of a delivery.').argument('<id>')
  return new Command('webhook')
    .description('The receivers of signed deliveries.')
    .addCommand(
      addOrgFlags(addJsonFlag(listing), ['deployment']).action((flags: Flags) =>
        workIn(terminal, flags, { code: true }, list),
      ),
    )
    .addCommand(newestCommand(terminal, DELIVERIES, deliveries))
    .addCommand(addOrgFlags(addJsonFlag(showing)).action(show(terminal)))
    .addCommand(replayCommand(terminal, DELIVERIES))
}
