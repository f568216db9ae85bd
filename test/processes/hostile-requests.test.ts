import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import type { Bounds } from '../soak/faults/bounds.ts'
import { generateRequests } from '../soak/hostile/generated.ts'
import type { HostileRequest } from '../soak/hostile/hostile-request.ts'
import { type Location, openPlace } from '../soak/hostile/place.ts'
import { allRequests } from '../soak/hostile/requests/all.ts'
import { sendHostile } from '../soak/hostile/send-hostile.ts'
import { afterFile } from '../support/after-file.ts'
import { onPostgres } from '../support/engine.ts'
import { makeOwnDatabase } from '../support/own-database.ts'
import { propertySeed } from '../support/property-seed.ts'
import { makeDataFolder } from '../support/server-process.ts'

/*
 * The short form of `npm run soak -- hostile`: some requests of each kind, and generated ones. Each is answered or cut, none with
 * 500, and the server goes on. How long anything takes is the soak's question.
 */

const BOUNDS: Bounds = { statementSeconds: 30, connectionSeconds: 10, lockSeconds: 5, stopSeconds: 10 }

/** Requests that take long on the embedded engine, or to send. */
const HEAVY =
  /50 MB|37 MB|40 MB|100 MB|gigabyte|200 (files|records)|3,000 objects|long texts|2 MB each|almost a boundary/

/** Of each kind. */
const NAMED = 4
const GENERATED = 40
const AT_ONCE = 3

let location: Location

before(async () => {
  const database = onPostgres ? await makeOwnDatabase(process.env.TEST_DATABASE_URL!, 'hostile') : undefined
  const folder = database === undefined ? makeDataFolder() : undefined
  afterFile(async () => {
    await location?.close()
    await database?.drop()
    folder?.remove()
  })
  location = await openPlace(
    database === undefined ? { OBJECTRY_DATA: folder!.data } : { DATABASE_URL: database.url },
    BOUNDS,
    { accounts: 200, longTexts: 50 },
  )
})

async function assertAnswered(requests: Iterator<HostileRequest>): Promise<void> {
  const wrong: string[] = []
  const sendOn = async () => {
    for (let next = requests.next(); !next.done; next = requests.next()) {
      const { answer, text, isFailure } = await sendHostile(next.value, location.addresses, location.boundMs)
      if (isFailure) wrong.push(`${next.value.name.slice(0, 200)}: ${answer} ${text.slice(-300)}`)
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, sendOn))
  assert.deepEqual(wrong, [])
  assert.deepEqual(location.failures, [])
  assert.ok(location.isAlive())
}

test('every kind of hostile request is answered or cut, and none with 500', async () => {
  const kinds = [...Map.groupBy(allRequests(location), ({ kind }) => kind).values()]
  const some = kinds.flatMap((requests) => {
    const light = requests.filter(({ name }) => !HEAVY.test(name))
    return light.filter((_, index) => index % Math.ceil(light.length / NAMED) === 0)
  })
  assert.ok(some.length > 60)
  await assertAnswered(some.values())
})

test('random requests made of these are answered or cut, and none with 500', async () => {
  const isLight = ({ kind }: HostileRequest) => !/JSON|records|multipart|encodings|large|webhooks/.test(kind)
  const generated = generateRequests(allRequests(location).filter(isLight), propertySeed())
  await assertAnswered(generated.take(GENERATED))
})
