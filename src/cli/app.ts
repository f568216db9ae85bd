import { readFileSync } from 'node:fs'
import { Command } from 'commander'
import { UsageError } from './command/exit-codes.ts'
import { addOrgFlags, type Flags } from './command/setting-flags.ts'
import type { Terminal } from './command/terminal.ts'
import type { ReachedOrg } from './reach/reached-org.ts'
import { readBody } from './reach/record-pages.ts'
import { listText } from './result/list-text.ts'
import { addJsonFlag, type Outcome } from './result/outcome.ts'
import { workIn } from './work/work-command.ts'

const APPS = '/setup/orgs/current/apps'

const pathOf = (app: string, verb: string) => `${APPS}/${encodeURIComponent(app)}/${verb}`

interface MadeApp {
  /** Of its record; only when it is made. */
  readonly id?: string
  readonly name: string
  readonly clientId: string
  readonly clientSecret: string | null
}

interface ListedApp {
  readonly name: string
  readonly clientId: string
  readonly scopes: readonly string[]
  readonly isPublic: boolean
  readonly isBlocked: boolean
  readonly calls: number
  readonly dailyCallBudget: number | null
}

function credentialsText(first: string, { id, clientId, clientSecret }: MadeApp, last: string): string {
  const record = id === undefined ? [] : [`  record         ${id}`]
  const secret = clientSecret === null ? [] : [`  client secret  ${clientSecret}`]
  return `${[first, '', ...record, `  client id      ${clientId}`, ...secret, '', last].join('\n')}\n`
}

/** A file of certificates, as text. */
const certificatesIn = (path: string | undefined) =>
  path === undefined ? undefined : readFileSync(path, 'utf8')

function wantedApp(name: string, flags: Flags): object {
  const lists = { scopes: flags.scope, callbackUrls: flags.callback }
  const texts = { runAs: flags.runAs, certificates: certificatesIn(flags.certificate as string | undefined) }
  const switches = {
    public: flags.public,
    enableDeviceFlow: flags.device,
    requirePkce: flags.pkce,
    rotateRefreshTokens: flags.rotateRefreshTokens,
    permittedUsers: flags.adminApproved === true ? 'AdminApproved' : undefined,
  }
  const dailyCallBudget = flags.dailyCalls === undefined ? undefined : Number(flags.dailyCalls)
  return { name, ...lists, ...texts, ...switches, dailyCallBudget }
}

type Work = (org: ReachedOrg, app: string, flags: Flags, terminal: Terminal) => Promise<Outcome | string>

async function create(org: ReachedOrg, name: string, flags: Flags): Promise<Outcome> {
  const made = await readBody<MadeApp>(org.call('POST', APPS, wantedApp(name, flags)))
  const last =
    made.clientSecret === null
      ? 'It is a public client: it has no secret.'
      : 'Keep the secret: it is shown this once.'
  return { text: credentialsText(`Made the app ${made.name}.`, made, last), answer: made }
}

const list: Work = async (org, _app, _flags, terminal) => {
  const apps = await readBody<ListedApp[]>(org.call('GET', APPS))
  const formatState = ({ isPublic, isBlocked }: ListedApp) =>
    [...(isPublic ? ['public'] : []), ...(isBlocked ? ['blocked'] : [])].join(', ') || null
  const titles = ['name', 'scopes', 'state', 'calls in 24 hours', 'budget', 'client id']
  const rows = apps.map((app) => [
    ...[app.name, app.scopes.join(' '), formatState(app)],
    ...[app.calls, app.dailyCallBudget, app.clientId],
  ])
  return { text: listText(terminal, titles, rows, 'There is no app.'), answer: apps }
}

async function rotate(org: ReachedOrg, app: string, { overlapHours }: Flags): Promise<Outcome> {
  const hours = overlapHours === undefined ? undefined : Number(overlapHours)
  if (hours !== undefined && !(hours >= 0)) throw new UsageError('--overlap-hours takes a number, 0 or more.')
  const sent = hours === undefined ? {} : { overlapSeconds: Math.round(hours * 3600) }
  type Rotated = MadeApp & { readonly oldSecretUntil: string }
  const rotated = await readBody<Rotated>(org.call('POST', pathOf(app, 'rotate'), sent))
  const last =
    hours === 0
      ? 'The old secret has ended. Keep this one: it is shown this once.'
      : `The old secret works until ${rotated.oldSecretUntil}. Keep this one: it is shown this once.`
  return { text: credentialsText(`A new secret for ${rotated.name}.`, rotated, last), answer: rotated }
}

async function block(org: ReachedOrg, app: string): Promise<string> {
  await readBody(org.call('POST', pathOf(app, 'block')))
  return `Blocked ${app}. Its tokens are gone.\n`
}

async function unblock(org: ReachedOrg, app: string): Promise<string> {
  await readBody(org.call('POST', pathOf(app, 'unblock')))
  return `${app} may ask for tokens again.\n`
}

const run = (terminal: Terminal, work: Work) => (app: string, flags: Flags) =>
  workIn(terminal, flags, {}, (org) => work(org, app, flags, terminal))

function creating(terminal: Terminal): Command {
  const command = new Command('create')
    .description('Make an app: a client id and a secret.')
    .argument('<name>')
    .option('--scope <name...>', 'what its tokens may be used for; default api')
    .option('--callback <url...>', 'where a browser comes back to')
    .option('--run-as <user>', 'client credentials work in the name of this user, by username or id')
    .option('--certificate <file>', 'X.509 in PEM: whoever has its key may sign assertions')
    .option('--device', 'devices without a browser may ask')
    .option('--pkce', 'codes are given with a challenge only')
    .option('--rotate-refresh-tokens', 'each refresh gives another refresh token')
    .option('--admin-approved', 'only users with a permission set for the app are let in')
    .option('--daily-calls <number>', "how many calls of the org's allocation it may make in 24 hours")
    .option('--public', 'no secret: it runs where nobody can keep one')
  return addOrgFlags(addJsonFlag(command)).action(run(terminal, create))
}

const named = (verb: string, description: string) =>
  addOrgFlags(new Command(verb).description(description).argument('<app>', 'client id, or name'))

/** `objectry app create|list|rotate|block|unblock`: who may ask for tokens. */
export function appCommand(terminal: Terminal): Command {
  const rotating = named('rotate', 'Give an app a new secret; the old one works on for a while.').option(
    '--overlap-hours <hours>',
    'how long, default 24; 0 ends it now',
  )
  const listing = addOrgFlags(addJsonFlag(new Command('list').description('Print the apps of the org.')))
  return new Command('app')
    .description('The connected apps of an org: who may ask for tokens.')
    .addCommand(creating(terminal))
    .addCommand(listing.action((flags: Flags) => run(terminal, list)('', flags)))
    .addCommand(addJsonFlag(rotating).action(run(terminal, rotate)))
    .addCommand(named('block', 'Shut an app out, and take its tokens away.').action(run(terminal, block)))
    .addCommand(named('unblock', 'Let an app in again.').action(run(terminal, unblock)))
}
