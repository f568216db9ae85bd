import { openEngine } from '../src/storage/open-engine.ts'
import { makeDatabase } from './database.ts'
import { makeDataset } from './dataset.ts'
import { startOurs } from './server.ts'

/* `node bench/graph-memory.ts`: the memory that one full graph call takes: 50 graphs of 10 nodes each. */

const STEPS = 10
const GRAPHS = 50

const database = await makeDatabase()
const engine = await openEngine({ databaseUrl: database.url, poolSize: 2, data: '' })
const { token } = await makeDataset(engine, 1000)
await engine.close()
const server = await startOurs({ DATABASE_URL: database.url })
try {
  const call = async (graphs: number) => {
    const response = await fetch(`${server.origin}/services/data/v64.0/composite/graph`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({
        graphs: Array.from({ length: graphs }, (_, g) => ({
          graphId: `g${g}`,
          compositeRequest: Array.from({ length: STEPS }, (_, n) => ({
            method: n === 0 ? 'POST' : 'PATCH',
            url: `/services/data/v64.0/sobjects/Account${n === 0 ? '' : '/@{r0.id}'}`,
            referenceId: `r${n}`,
            body: { Name: `Graph ${g} ${n}`, Description: 'x'.repeat(1000) },
          })),
        })),
      }),
    })
    const text = await response.text()
    if (!response.ok || text.includes('"isSuccessful":false')) throw new Error(text.slice(0, 500))
  }
  await call(1)
  const idle = server.memory()
  let peak = idle
  const watch = setInterval(() => {
    peak = Math.max(peak, server.memory())
  }, 5)
  await call(GRAPHS)
  clearInterval(watch)
  console.log(
    `idle ${idle.toFixed(0)} MiB, most ${peak.toFixed(0)} MiB, ${(peak - idle).toFixed(0)} MiB above idle`,
  )
} finally {
  await server.stop()
  await database.drop()
}
