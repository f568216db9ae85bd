import assert from 'node:assert/strict'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import type { Command } from 'commander'
import { findInstallation } from '../../src/cli/command/installation.ts'
import { makeProgram } from '../../src/cli/program.ts'
import { readConfig } from '../../src/config/config.ts'
import { type Objectry, start } from '../../src/server/main.ts'
import { ON_EMBEDDED } from '../support/engine.ts'
import { runCommand, TestTerminal } from '../support/run-command.ts'
import { makeDataFolder } from '../support/server-process.ts'

/** Commands without an answer, and why; a new command is not among them by itself. */
const WITHOUT_JSON: Readonly<Record<string, string>> = {
  serve: 'runs until it is stopped',
  types: 'writes TypeScript',
  completion: 'writes a script',
  import: 'writes a file of results',
  export: 'writes records: --format json',
  'app block': 'changes something',
  'app unblock': 'changes something',
  'fault set': 'changes something',
  'fault apply': 'changes something',
  'fault clear': 'changes something',
  'org reset': 'changes something',
  'org delete': 'changes something',
  'origin allow': 'changes something',
  'origin remove': 'changes something',
  'resource open': 'changes something',
  'resource close': 'changes something',
  'snapshot delete': 'changes something',
  'user unlock': 'changes something',
  'user deactivate': 'changes something',
  'user activate': 'changes something',
}

/** Every command that does something, by what is typed. */
const leaves = (command: Command, above: readonly string[] = []): [name: string, command: Command][] =>
  command.commands.length === 0
    ? [[above.join(' '), command]]
    : command.commands.flatMap((child) => leaves(child, [...above, child.name()]))

test('every command that lists, shows or makes something has --json', ON_EMBEDDED, () => {
  const without = leaves(makeProgram(findInstallation(), new TestTerminal(), []))
    .filter(([, command]) => !command.options.some(({ long }) => long === '--json'))
    .map(([name]) => name)
  assert.deepEqual(without.sort(), Object.keys(WITHOUT_JSON).sort())
})

describe('--json prints the answer of the admin API', ON_EMBEDDED, () => {
  const folder = makeDataFolder()
  const deployment = join(folder.data, '..', 'deployment')
  let server: Objectry

  before(async () => {
    mkdirSync(join(deployment, 'objects'), { recursive: true })
    mkdirSync(join(deployment, 'jobs'))
    writeFileSync(join(deployment, 'objects/Box__c.yaml'), 'fields:\n  Size__c: { type: double }\n')
    writeFileSync(join(deployment, 'jobs/greet.ts'), 'export default { async run() {} }\n')
    const settings = { data: folder.data, port: '0', sitePort: '0', logLevel: 'silent', deployment }
    server = await start(readConfig({}, { ...settings, allowFaults: 'true' }))
  })

  after(async () => {
    await server.stop()
    folder.remove()
  })

  const run = (...args: string[]) =>
    runCommand(args, { OBJECTRY_DATA: folder.data, OBJECTRY_DEPLOYMENT: deployment })

  /** Returns the JSON that a command prints with --json; nothing else is printed. */
  async function answer<Answer = Record<string, unknown>>(...args: string[]): Promise<Answer> {
    const { code, out, error } = await run(...args, '--json')
    assert.deepEqual([code, error], [0, ''], args.join(' '))
    const value: Answer = JSON.parse(out)
    assert.equal(out, `${JSON.stringify(value, null, 2)}\n`)
    return value
  }

  test('what is made, with the secrets that are shown once', async () => {
    const app = await answer('app', 'create', 'Reports')
    assert.deepEqual(Object.keys(app), ['id', 'name', 'clientId', 'clientSecret'])
    const rotated = await answer('app', 'rotate', 'Reports')
    assert.equal(rotated.clientId, app.clientId)
    assert.notEqual(rotated.clientSecret, app.clientSecret)
    const org = await answer('org', 'create', 'Acme')
    assert.equal(org.name, 'Acme')
    assert.equal(typeof org.adminPassword, 'string')
    const user = await answer('user', 'create', 'ada@example.com', '--profile', 'Standard User')
    assert.deepEqual(Object.keys(user), ['id', 'username', 'password', 'mustChange'])
    assert.match(String((await answer('job', 'run', 'greet')).id), /^0Bj\w{15}$/)
    assert.equal((await answer('snapshot', 'save')).name, 'start')
  })

  const lists: Readonly<Record<string, readonly string[]>> = {
    'app list': ['clientId', 'name', 'scopes', 'isPublic', 'isBlocked', 'calls', 'dailyCallBudget'],
    'org list': ['id', 'name', 'upgrade'],
    'user list': ['username', 'name', 'profile', 'isActive'],
    'job list': ['name', 'cron', 'timeZone', 'queued', 'done', 'retrying', 'dead'],
    'job runs': ['id', 'job', 'status', 'attempts'],
    'snapshot list': ['name', 'records', 'createdAt'],
    'versions --all': ['version', 'label', 'retires', 'support', 'calls', 'apps'],
  }
  for (const [command, members] of Object.entries(lists)) {
    test(command, async () => {
      const [first] = await answer<object[]>(...command.split(' '))
      assert.deepEqual(
        members.filter((name) => !Object.hasOwn(first!, name)),
        [],
      )
    })
  }

  test('lists that are empty are []', async () => {
    for (const command of [
      'webhook list',
      'webhook deliveries',
      'origin list',
      'resource list',
      'fault list',
      'advise',
    ]) {
      assert.deepEqual(await answer(...command.split(' ')), [], command)
    }
  })

  test('a query, the clock, the schema and what a deployment does', async () => {
    assert.deepEqual(JSON.parse((await run('query', 'SELECT COUNT() FROM Box__c', '--json')).out), 0)
    assert.equal((await answer('clock', 'show')).aheadSeconds, 0)
    const { objects } = await answer<{ objects: object }>('schema', 'export')
    assert.deepEqual(Object.keys(objects), ['Box__c'])
    assert.deepEqual((await answer('deploy', '--plan')).steps, [])
    assert.equal((await answer('report')).calls, 2)
    const counts = await answer<{ differing: number }[]>('recompute', '--check')
    assert.ok(counts.length > 1 && counts.every(({ differing }) => differing === 0))
  })

  test('a command that fails says why on stderr, and prints nothing', async () => {
    const { code, out, error } = await run('app', 'rotate', 'Nobody', '--json')
    assert.deepEqual([code, out], [1, ''])
    assert.match(error, /^NOT_FOUND: /)
  })
})
