import { visibleTo } from '../src/access/visible-to.ts'
import { openSecretBox } from '../src/auth/keys/secret-key.ts'
import { Sessions } from '../src/auth/tokens/sessions.ts'
import { systemClock } from '../src/base/clock.ts'
import { OrgRuntimes } from '../src/calls/org-runtimes.ts'
import { provisionOrg } from '../src/orgs/provision-org.ts'
import { migrate } from '../src/storage/migrate.ts'
import { openEngine } from '../src/storage/open-engine.ts'
import { TOPICS } from '../src/streaming/topics/load-topics.ts'

/* Measures the cost of the check of a known token to a call, the questions about revocations included: `node bench/token-check.ts` */

const TOKENS = 1000
const ROUNDS = 1000

const databaseUrl = process.env.DATABASE_URL
const engine = await openEngine({ databaseUrl, poolSize: 8, data: 'memory' })
await migrate(engine.db)
const { org, userId } = await provisionOrg(
  engine.db,
  'Bench',
  { username: 'bench@objectry.local' },
  new Date(),
)
const sessions = new Sessions(engine.db, () => systemClock, 7200)
const tokens: string[] = []
for (let i = 0; i < TOKENS; i++) {
  tokens.push(await sessions.issue({ org, clientId: 'bench', userId, scopes: ['api'], grantType: 'bench' }))
}
const secrets = openSecretBox({ data: 'memory', secretKey: undefined })
const { callers, snapshots } = new OrgRuntimes(engine.db, secrets, TOPICS).of(org)

/** Whose token it is, and nothing else. */
const find = (token: string) => sessions.find(token)

/** All that a call has to know of its caller: whose token it is, the user's permissions, and the visible schema. */
async function findAll(token: string): Promise<unknown> {
  const session = await sessions.find(token)
  const { access } = (await callers.of(session!.userId))!
  return visibleTo(access, await snapshots.current())
}

async function measure(what: string, check: (token: string) => Promise<unknown>): Promise<void> {
  for (const token of tokens) await check(token)
  const began = performance.now()
  for (let round = 0; round < ROUNDS; round++) for (const token of tokens) await check(token)
  const each = (performance.now() - began) / (TOKENS * ROUNDS)
  process.stdout.write(`${each.toFixed(5)} ms for ${what} (${TOKENS * ROUNDS} checks)\n`)
}

await measure('the check of a known token', find)
await measure('the same with what the user may do and sees', findAll)
await engine.close()
