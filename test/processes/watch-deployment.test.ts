import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { ON_EMBEDDED } from '../support/engine.ts'
import { credentialsIn, fetchToken, startServer } from '../support/server-process.ts'
import { writeDeployment } from '../support/trigger-files.ts'

/* A server with `OBJECTRY_WATCH` loads the code of its deployment again when it changes. */

/** A namespace in which nothing can be watched, as on a machine whose limits are used up. */
const WITHOUT_WATCHES = [
  'unshare',
  '--user',
  '--map-root-user',
  'sh',
  '-c',
  'echo 0 > /proc/sys/user/max_inotify_instances; exec "$@"',
  'sh',
]

function canUnshare(): boolean {
  try {
    execFileSync(WITHOUT_WATCHES[0]!, [...WITHOUT_WATCHES.slice(1), 'true'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

const resource = (name: string, answer: string) =>
  `export default { path: '/${name}', GET: () => '${answer}' }`

async function seeChanges(wrapper: readonly string[]): Promise<string> {
  const deployment = writeDeployment({ 'resources/one.js': resource('one', 'first') })
  const server = await startServer(
    {
      OBJECTRY_DATA: 'memory',
      OBJECTRY_DEPLOYMENT: deployment,
      OBJECTRY_WATCH: 'true',
      OBJECTRY_LOG_LEVEL: 'info',
    },
    [],
    wrapper,
  )
  let said = server.greeting
  server.child.stdout!.on('data', (text) => {
    said += text
  })
  try {
    const token = await fetchToken(server.address, credentialsIn(server.greeting)!)
    const until = async (name: string, answer: string) => {
      for (;;) {
        const headers = { authorization: `Bearer ${token}` }
        const got = await fetch(`${server.address}/services/customrest/${name}`, { headers })
        if ((await got.text()) === JSON.stringify(answer)) return
        await sleep(50)
      }
    }
    await until('one', 'first')
    writeFileSync(join(deployment, 'resources/one.js'), resource('one', 'second'))
    await until('one', 'second')
    writeFileSync(join(deployment, 'resources/two.js'), resource('two', 'new'))
    await until('two', 'new')
    return said
  } finally {
    await server.end('SIGTERM')
  }
}

describe('changes of a deployment are loaded', ON_EMBEDDED, () => {
  test('as the system tells of them', async () => {
    assert.doesNotMatch(await seeChanges([]), /does not tell of changes/)
  })

  test('also where it cannot, and the log says what to do', {
    skip: !canUnshare() && 'needs the program unshare, and the right to it',
  }, async () => {
    const said = await seeChanges(WITHOUT_WATCHES)
    assert.equal(said.match(/does not tell of changes in .*max_user_instances/g)?.length, 1)
  })
})
