import { setTimeout as sleep } from 'node:timers/promises'
import { KilledServer } from '../support/killed-server.ts'
import type { DerivationLoad } from './kills/derivation-load.ts'
import { ROLL_UPS } from './kills/roll-ups.ts'
import { runKillSoak } from './kills/run-kill-soak.ts'
import { STANDARD_OBJECTS } from './kills/standard-objects.ts'

/*
 * Kills the server with -9 while sixteen clients write lines, activities and opportunities of the same few parents, restarts it and compares
 * all records with what the platform derives:
 *
 *   npm run soak -- kill-during-derivations              on the embedded engine, in a temporary folder
 *   npm run soak -- kill-during-derivations --roll-ups                  the same with 32 clients and the details of roll-ups
 *   npm run soak -- kill-during-derivations --rounds 20 --database-url postgres://postgres@127.0.0.1:5432/postgres
 *
 * With a database address it makes a database of its own beside that one and drops it at the end. Ends with 1 when a
 * record differs, or a client got a failure or a lock.
 */

const isWrong = (status: number, text: string) => status >= 500 || text.includes('UNABLE_TO_LOCK_ROW')

/** Returns the records whose values differ from those that the platform derives of the others. */
async function findDiffering(server: KilledServer): Promise<string[]> {
  const path = '/setup/orgs/current/recompute'
  const { objects } = JSON.parse(await server.call('GET', path)) as { objects: string[] }
  const found: string[] = []
  for (const object of objects) {
    const { differing } = JSON.parse(await server.call('POST', path, { object, check: true }))
    for (const { id, fields } of differing) found.push(`${object} ${id}: ${fields}`)
  }
  return found
}

await runKillSoak({
  numbers: { rounds: 5 },
  flags: ['roll-ups'],
  well: 'all as derived',
  async *rounds(variables, { rounds, 'roll-ups': hasRollUps }) {
    const load = (hasRollUps ? ROLL_UPS : STANDARD_OBJECTS) as DerivationLoad<unknown>
    const server = await KilledServer.start({
      ...variables,
      ...(load.deployment && { OBJECTRY_DEPLOYMENT: load.deployment() }),
    })
    try {
      const shared = await load.makeShared(server)
      for (let round = 0; round < rounds; round++) {
        const owns = Array.from({ length: load.clients }, () =>
          Object.fromEntries(load.own.map((object): [string, string[]] => [object, []])),
        )
        let answered = 0
        let refused = 0
        const wrong: string[] = []
        await server.killUnder({
          clients: load.clients,
          async work(client) {
            const own = owns[client]!
            const write = load.chooseWrite(shared, own)
            if (write === undefined) return
            const { method, object, path, body } = write
            const { status, text } = await server.send(method, `/sobjects/${object}${path}`, body)
            answered++
            if (status >= 400) refused++
            if (isWrong(status, text)) wrong.push(`${method} ${object}: ${status} ${text}`)
            if (status === 201) own[object]?.push(JSON.parse(text).id)
          },
          untilKill: () => sleep(1000 + Math.random() * 2000),
        })
        wrong.push(...(await findDiffering(server)))
        yield { summary: `${answered} answered, ${refused} refused`, wrong }
      }
    } finally {
      await server.end()
    }
  },
})
