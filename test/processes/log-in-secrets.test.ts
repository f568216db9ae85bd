import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { makeDataFolder, type ServerProcess, startServer } from '../support/server-process.ts'

/* A server that logs everything it can, and what must not be in its log. */

const PASSWORD = 'a password for the log test'

const folder = makeDataFolder()
let server: ServerProcess
let log = ''

before(async () => {
  server = await startServer({
    OBJECTRY_DATA: folder.data,
    OBJECTRY_LOG_LEVEL: 'trace',
    OBJECTRY_ADMIN_USERNAME: 'first@example.com',
    OBJECTRY_ADMIN_PASSWORD: PASSWORD,
  })
  for (const stream of [server.child.stdout!, server.child.stderr!]) {
    stream.on('data', (text) => {
      log += text
    })
  }
})
after(async () => {
  await server.end('SIGTERM')
  folder.remove()
})

const form = (body: Record<string, string>, cookie: string) => ({
  method: 'POST',
  redirect: 'manual' as const,
  headers: { cookie },
  body: new URLSearchParams(body),
})

const findCookie = (response: Response, name: string) =>
  response.headers
    .getSetCookie()
    .find((cookie) => cookie.startsWith(`${name}=`))!
    .split(';')[0]!

const csrfIn = (page: string) => /name="csrf" value="([^"]*)"/.exec(page)![1]!

test('the first start prints username and password', () => {
  assert.match(server.greeting, /^ {2}username {7}first@example\.com\n {2}password {7}a password for/m)
})

test('attack: no password, cookie, form token or query gets into the log, whatever its level', async () => {
  const { address } = server
  const page = await fetch(`${address}/login?retURL=%2Flogin%3Fsecret-in-query`)
  const [loginCookie, csrf] = [findCookie(page, 'objectry_login'), csrfIn(await page.text())]
  const wrong = { csrf, username: 'first@example.com', password: 'the wrong password' }
  assert.equal((await fetch(`${address}/login`, form(wrong, loginCookie))).status, 400)
  const right = { ...wrong, password: PASSWORD }
  const entered = await fetch(`${address}/login`, form(right, loginCookie))
  assert.equal(entered.status, 303)
  const session = findCookie(entered, 'objectry_sid')
  const change = await (await fetch(`${address}/change-password`, { headers: { cookie: session } })).text()
  const chosen = {
    csrf: csrfIn(change),
    current: PASSWORD,
    password: 'the chosen one',
    again: 'the chosen one',
  }
  assert.equal((await fetch(`${address}/change-password`, form(chosen, session))).status, 200)
  // The log is written in batches.
  for (let wait = 0; wait < 50 && !log.includes('/change-password'); wait++) await setTimeout(100)
  assert.match(log, /"path":"\/login"/)
  const secrets = [PASSWORD, 'the wrong password', 'the chosen one', 'secret-in-query', csrf, chosen.csrf]
  for (const secret of [...secrets, loginCookie.split('=')[1]!, session.split('=')[1]!]) {
    assert.ok(!log.includes(secret) && !log.includes(encodeURIComponent(secret)), secret)
  }
})
