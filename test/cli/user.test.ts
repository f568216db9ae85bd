import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { Attempts } from '../../src/auth/attempts/attempts.ts'
import { checkPassword } from '../../src/auth/users/log-in.ts'
import { systemClock } from '../../src/base/clock.ts'
import { readConfig } from '../../src/config/config.ts'
import { type Objectry, start } from '../../src/server/main.ts'
import { findOrgByName } from '../../src/storage/orgs/orgs.ts'
import { ON_EMBEDDED } from '../support/engine.ts'
import { runCommand } from '../support/run-command.ts'
import { makeDataFolder } from '../support/server-process.ts'

/* `objectry user` as people run it. */

const PASSWORD = 'a long enough one'

/** Username and password as commands print them. */
const passwordIn = (out: string) => /^ {2}password {7}(\S+)$/m.exec(out)?.[1]

describe('objectry user', ON_EMBEDDED, () => {
  const folder = makeDataFolder()
  const run = (...args: string[]) => runCommand(['user', ...args], { OBJECTRY_DATA: folder.data })
  let server: Objectry

  before(async () => {
    server = await start(readConfig({}, { data: folder.data, port: '0', logLevel: 'silent' }))
  })
  after(async () => {
    await server.stop()
    folder.remove()
  })

  async function logIn(username: string, password: string, org = 'Objectry') {
    const { db } = server.engine
    const found = (await findOrgByName(db, org))!
    const attempts = new Attempts(db, systemClock)
    const who = { db, clock: systemClock, attempts, settings: readConfig({}), address: '192.0.2.1' }
    const logIn = await checkPassword(who, found, username, password)
    const mustChange = logIn.user && logIn.mustChange
    return { in: logIn.user?.username, refusal: logIn.refusal, mustChange }
  }

  const create = (...args: string[]) => run('create', ...args, '--profile', 'system administrator')

  test('create makes a user with sensible defaults and tells a password once, which has to be changed', async () => {
    const { code, out, error } = await create('ann.lee@example.com', '--first-name', 'Ann')
    assert.deepEqual([code, error], [0, ''])
    assert.match(out, /^Made ann\.lee@example\.com \(005\w{15}\)\.\n/)
    assert.match(out, /shown this once\. Another one has to be chosen at the next log-in\.\n$/)
    assert.deepEqual(await logIn('ANN.LEE@example.com', passwordIn(out)!), {
      in: 'ann.lee@example.com',
      refusal: undefined,
      mustChange: true,
    })
    const said = await runCommand(
      ['query', "SELECT Name, Alias, TimeZoneSidKey FROM User WHERE FirstName = 'Ann'", '--format', 'csv'],
      { OBJECTRY_DATA: folder.data },
    )
    assert.equal(said.out, 'Name,Alias,TimeZoneSidKey\r\nAnn ann.lee,aann.lee,GMT\r\n')
  })

  test('create takes a password, also from the standard input, and does not print it', async () => {
    const given = await create('bob@example.com', '--password', PASSWORD)
    assert.deepEqual([given.code, given.error], [0, ''])
    assert.ok(!given.out.includes(PASSWORD))
    assert.equal((await logIn('bob@example.com', PASSWORD)).mustChange, false)
    const args = ['user', 'create', 'eve@example.com', '--profile', 'System Administrator', '--password', '-']
    const piped = await runCommand(args, { OBJECTRY_DATA: folder.data }, `${PASSWORD}\n`)
    assert.deepEqual([piped.code, piped.error], [0, ''])
    assert.equal((await logIn('eve@example.com', PASSWORD)).in, 'eve@example.com')
  })

  test('password gives a user another one', async () => {
    const { code, out } = await run('password', 'bob@example.com')
    assert.equal(code, 0)
    assert.match(out, /^bob@example\.com has a new password; whatever was logged in is logged out\.\n/)
    assert.equal((await logIn('bob@example.com', PASSWORD)).refusal, 'refused')
    assert.equal((await logIn('bob@example.com', passwordIn(out)!)).in, 'bob@example.com')
  })

  test('list tells who is locked, unlock lets them in again', async () => {
    for (let count = 0; count < 10; count++) await logIn('eve@example.com', 'wrong')
    assert.match((await run('list')).out, /^eve@example\.com .* System Administrator +locked$/m)
    assert.equal((await logIn('eve@example.com', PASSWORD)).refusal, 'locked')
    const { out } = await run('unlock', 'eve@example.com')
    assert.equal(out, 'eve@example.com may log in again.\n')
    assert.equal((await logIn('eve@example.com', PASSWORD)).in, 'eve@example.com')
    assert.match((await run('list')).out, /^eve@example\.com .* logged in 2/m)
  })

  test('deactivate keeps a user out, activate lets the user in again', async () => {
    assert.equal((await run('deactivate', 'eve@example.com')).out, 'eve@example.com is inactive.\n')
    assert.equal((await logIn('eve@example.com', PASSWORD)).refusal, 'inactive')
    assert.match((await run('list')).out, /^eve@example\.com .* inactive$/m)
    assert.equal((await run('activate', 'eve@example.com')).out, 'eve@example.com is active.\n')
    assert.equal((await logIn('eve@example.com', PASSWORD)).in, 'eve@example.com')
  })

  test('what cannot be is refused with the reason, and nothing is made', async () => {
    for (const [args, message] of [
      [['create', 'ann.lee@example.com', '--profile', 'System Administrator'], /^DUPLICATE_USERNAME: /],
      [
        ['create', 'new@example.com', '--profile', 'Nobody'],
        /^INVALID_INPUT: There is no profile Nobody\. There are /,
      ],
      [
        ['create', 'new@example.com', '--profile', 'System Administrator', '--password', 'short'],
        /^INVALID_INPUT: The password must have at least 8 characters\.\n$/,
      ],
      [
        ['create', 'new@example.com', '--profile', 'System Administrator', '--email', 'nonsense'],
        /^INVALID_EMAIL_ADDRESS: /,
      ],
      [
        ['create', 'new@example.com', '--profile', 'System Administrator', '--time-zone', 'Mars'],
        /^INVALID_OR_NULL_FOR_RESTRICTED_PICKLIST: /,
      ],
      [['create', 'new@example.com'], /required option '--profile <name>'/],
      [['password', 'nobody@example.com'], /^NOT_FOUND: There is no user nobody@example\.com in this org\n$/],
      [['password', 'ann.lee@example.com', '--password', 'ANN.LEE'], /at least 8 characters/],
    ] as const) {
      const { code, out, error } = await run(...args)
      assert.deepEqual([code, out], [/^error: /.test(error) ? 2 : 1, ''], args.join(' '))
      assert.match(error, message)
    }
    assert.doesNotMatch((await run('list')).out, /new@example\.com/)
  })

  test('the only active administrator stays active', async () => {
    for (const name of ['ann.lee', 'bob', 'eve']) await run('deactivate', `${name}@example.com`)
    const { code, error } = await run('deactivate', 'admin@objectry.local')
    assert.equal(code, 1)
    assert.equal(
      error,
      'FIELD_INTEGRITY_EXCEPTION: An org needs an active user whose profile may manage users and customize the application\n',
    )
    assert.match((await run('list')).out, /^admin@objectry\.local .* never logged in$/m)
  })

  test('org create tells the password of its administrator; a fork keeps the passwords', async () => {
    const org = (...args: string[]) => runCommand(['org', ...args], { OBJECTRY_DATA: folder.data })
    const made = await org('create', 'Acme')
    const password = passwordIn(made.out)!
    assert.equal((await logIn('admin@objectry.local', password, 'Acme')).mustChange, false)
    assert.equal((await logIn('admin@objectry.local', password)).refusal, 'refused')
    const forked = await org('fork', 'Acme 2', '--from', 'Acme')
    assert.equal(passwordIn(forked.out), undefined)
    assert.equal((await logIn('admin@objectry.local', password, 'Acme 2')).in, 'admin@objectry.local')
  })

  test('a user of another org is made with --org', async () => {
    const { code } = await create('zoe@example.com', '--org', 'Acme', '--password', PASSWORD)
    assert.equal(code, 0)
    assert.equal((await logIn('zoe@example.com', PASSWORD, 'Acme')).in, 'zoe@example.com')
    assert.equal((await logIn('zoe@example.com', PASSWORD)).refusal, 'refused')
  })
})
