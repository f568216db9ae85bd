import { killDuringCreates } from '../support/creates-under-load.ts'
import { runKillSoak } from './kills/run-kill-soak.ts'

/*
 * Kills the server with -9 while records are created, restarts it and looks for every record that it acknowledged:
 *
 *   npm run soak -- kill-during-creates                      on the embedded engine, in a temporary folder
 *   npm run soak -- kill-during-creates --rounds 50
 *   npm run soak -- kill-during-creates --database-url postgres://postgres@127.0.0.1:5432/postgres
 *
 * With a database address it makes a database of its own beside that one and drops it at the end. Ends with 1 when a
 * record is lost.
 */
await runKillSoak({
  numbers: { rounds: 10 },
  well: 'all there',
  async *rounds(variables, { rounds }) {
    for await (const { acknowledged, lost } of killDuringCreates(variables, rounds)) {
      yield { summary: `${acknowledged} acknowledged`, wrong: lost.map((id) => `${id} is lost`) }
    }
  },
})
