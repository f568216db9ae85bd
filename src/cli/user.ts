import { text } from 'node:stream/consumers'
import { Command } from 'commander'
import { addOrgFlags, type Flags } from './command/setting-flags.ts'
import type { Terminal } from './command/terminal.ts'
import type { ReachedOrg } from './reach/reached-org.ts'
import { readBody } from './reach/record-pages.ts'
import { listText } from './result/list-text.ts'
import { addJsonFlag, type Outcome } from './result/outcome.ts'
import { workIn } from './work/work-command.ts'

interface WithPassword {
  readonly id: string
  readonly username: string
  readonly password: string
  readonly mustChange: boolean
}

interface Listed {
  readonly username: string
  readonly name: string
  readonly profile: string | null
  readonly isActive: boolean
  readonly isLocked: boolean
  readonly hasPassword: boolean
  readonly lastLogin: string | null
}

const USERS = '/setup/orgs/current/users'

const pathOf = (user: string, verb: string) => `${USERS}/${encodeURIComponent(user)}/${verb}`

/** `-` takes it from the standard input, so that it stands in no list of processes. */
async function passwordIn({ stdin }: Terminal, { password }: Flags): Promise<string | undefined> {
  if (password !== '-') return password as string | undefined
  return (await text(stdin)).replace(/\r?\n$/, '')
}

function passwordText({ username, password, mustChange }: WithPassword): string {
  const next = mustChange ? ' Another one has to be chosen at the next log-in.' : ''
  const lines = [
    `  username       ${username}`,
    `  password       ${password}`,
    '',
    `Keep it: it is shown this once.${next}`,
  ]
  return `${lines.join('\n')}\n`
}

type Work = (org: ReachedOrg, user: string, flags: Flags, terminal: Terminal) => Promise<Outcome | string>

const create: Work = async (org, username, flags, terminal) => {
  const given = await passwordIn(terminal, flags)
  const { email, lastName, firstName, profile, role, alias, locale, language, timeZone } = flags
  const wanted = {
    username,
    email: email ?? username,
    lastName: lastName ?? username.split('@')[0],
    profile,
    firstName,
    role,
    alias,
    locale,
    language,
    timeZone,
    password: given,
  }
  const made = await readBody<WithPassword>(org.call('POST', USERS, wanted))
  const said = `Made ${made.username} (${made.id}).\n`
  return { text: given === undefined ? `${said}\n${passwordText(made)}` : said, answer: made }
}

const setPassword: Work = async (org, user, flags, terminal) => {
  const given = await passwordIn(terminal, flags)
  const body = given === undefined ? {} : { password: given }
  const changed = await readBody<WithPassword>(org.call('POST', pathOf(user, 'password'), body))
  const said = `${changed.username} has a new password; whatever was logged in is logged out.\n`
  return { text: given === undefined ? `${said}\n${passwordText(changed)}` : said, answer: changed }
}

const call =
  (verb: string, said: (user: string) => string): Work =>
  async (org, user) => {
    await readBody(org.call('POST', pathOf(user, verb)))
    return `${said(user)}\n`
  }

/** Returns why a user cannot log in, or the time of the last log-in. */
function formatState({ isActive, isLocked, hasPassword, lastLogin }: Listed): string {
  if (!isActive) return 'inactive'
  if (isLocked) return 'locked'
  if (!hasPassword) return 'no password'
  return lastLogin === null ? 'never logged in' : `logged in ${lastLogin}`
}

const list: Work = async (org, _user, _flags, terminal) => {
  const users = await readBody<Listed[]>(org.call('GET', USERS))
  const rows = users.map((user) => [user.username, user.name, user.profile, formatState(user)])
  return {
    text: listText(terminal, ['username', 'name', 'profile', 'state'], rows, 'There is no user.'),
    answer: users,
  }
}

const run = (terminal: Terminal, work: Work) => (user: string, flags: Flags) =>
  workIn(terminal, flags, { writes: true }, (org) => work(org, user, flags, terminal))

const PASSWORD = [
  '--password <text>',
  'the password; - reads it from the standard input; default: one is made',
] as const

const named = (verb: string, description: string) =>
  new Command(verb).description(description).argument('<user>', 'by username or id')

function createCommand(): Command {
  return new Command('create')
    .description('Make a user.')
    .argument('<username>', 'in the form of a mail address')
    .requiredOption('--profile <name>', 'what the user may do, for example "System Administrator"')
    .option('--email <address>', 'default the username')
    .option('--last-name <name>', 'default the part of the username before the @')
    .option('--first-name <name>')
    .option('--role <name>')
    .option('--alias <text>', 'up to 8 characters; default from the names')
    .option('--locale <key>', 'for example de_DE; default that of the org')
    .option('--language <key>', 'for example de; default that of the org')
    .option('--time-zone <key>', 'for example Europe/Berlin; default that of the org')
    .option(...PASSWORD)
}

/** `objectry user create|list|password|unlock|deactivate|activate`: the people of an org. */
export function userCommand(terminal: Terminal): Command {
  const listed = new Command('list').description('Print the users of the org.')
  const flagged = (command: Command, work: Work) =>
    addOrgFlags(command, ['deployment']).action(run(terminal, work))
  return new Command('user')
    .description('The users of an org.')
    .addCommand(flagged(addJsonFlag(createCommand()), create))
    .addCommand(addOrgFlags(addJsonFlag(listed)).action((flags: Flags) => run(terminal, list)('', flags)))
    .addCommand(
      flagged(
        addJsonFlag(
          named('password', 'Give a user a password; what the user was logged in with ends.'),
        ).option(...PASSWORD),
        setPassword,
      ),
    )
    .addCommand(
      flagged(
        named('unlock', 'Let a user in again who is locked after wrong passwords.'),
        call('unlock', (user) => `${user} may log in again.`),
      ),
    )
    .addCommand(
      flagged(
        named('deactivate', 'Keep a user out. Records and names stay.'),
        call('deactivate', (user) => `${user} is inactive.`),
      ),
    )
    .addCommand(
      flagged(
        named('activate', 'Let a user in again who was deactivated.'),
        call('activate', (user) => `${user} is active.`),
      ),
    )
}
