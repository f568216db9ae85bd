import { randomUUID } from 'node:crypto'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { OrgRuntimes } from '../../calls/org-runtimes.ts'
import type { Config } from '../../config/config.ts'
import type { CommonDefinitions } from '../../definitions/common/common-definitions.ts'
import type { Db } from '../../storage/database/db.ts'
import { healthSql } from '../../storage/database/health.sql.ts'
import { unlessNodeFails } from '../../storage/database/pg-error.ts'
import type { OrgHosts } from '../../storage/orgs/org-hosts.ts'

interface WarmUpServices {
  readonly db: Db
  readonly config: Pick<Config, 'poolSize'>
  readonly runtimes: OrgRuntimes
  readonly hosts: OrgHosts
  readonly definitions: Pick<CommonDefinitions, 'loadSettled'>
}

/** Orgs whose schemas are loaded at the start; those of others are loaded by their first call. */
const MAX_ORGS = 20

/** How many requests are injected before the server listens: rounds, and requests in each. */
const ROUNDS = 10
const REQUESTS_PER_ROUND = 20

const HEADER = 'x-objectry-warm-up'
/** Nobody else can send it. */
const MARK = randomUUID()

/** True for requests of the server itself, before it listens: they are nobody's calls. */
export const isWarmUp = ({ headers }: Pick<FastifyRequest, 'headers'>): boolean => headers[HEADER] === MARK

/**
 * Prepares what the first calls would wait for: connections, the schemas of orgs, their guests, compiled code. Senders of
 * webhooks return all at once when a server is up again, and each would wait for all others.
 */
export async function warmUp(
  { db, config, runtimes, hosts, definitions }: WarmUpServices,
  site: FastifyInstance,
): Promise<void> {
  await Promise.all(Array.from({ length: Math.ceil(config.poolSize / 2) }, () => db.query(healthSql.ping)))
  await hosts.all()
  // Others are brought up to date by their first call.
  const orgs = await definitions.loadSettled(MAX_ORGS)
  await Promise.all(orgs.map((org) => unlessNodeFails(runtimes.of(org).callers.guest(), undefined)))
  for (let round = 0; round < ROUNDS; round++) {
    const send = () =>
      site.inject({
        method: 'POST',
        url: '/services/customrest',
        headers: { [HEADER]: MARK },
        payload: 'ready',
      })
    await Promise.all(Array.from({ length: REQUESTS_PER_ROUND }, send))
  }
}
