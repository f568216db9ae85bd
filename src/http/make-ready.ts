import type { FastifyInstance } from 'fastify'
import { checkHealth } from '../storage/health.ts'
import { loadOrgs } from '../storage/orgs.ts'
import type { House } from './visit.ts'

/** Orgs of which a server that starts learns at once; of others it learns when they are called. */
const MOST_ORGS = 20

/** How often the doors are opened and closed before anybody comes. */
const ROUNDS = 10
const TOGETHER = 20

/**
 * Has what the first calls would wait for: connections, the schemas of orgs, their guests, code that has run before.
 * Senders of webhooks come back all at once when a server is up again, and each would wait for all others.
 */
export async function makeReady(
  { db, config, runtimes, hosts }: House,
  site: FastifyInstance,
): Promise<void> {
  await Promise.all(Array.from({ length: Math.ceil(config.poolSize / 2) }, () => checkHealth(db)))
  const orgs = await loadOrgs(db)
  await hosts.all()
  await Promise.all(orgs.slice(0, MOST_ORGS).map((org) => runtimes.of(org).callers.guest()))
  for (let round = 0; round < ROUNDS; round++) {
    const knock = () => site.inject({ method: 'POST', url: '/services/customrest', payload: 'ready' })
    await Promise.all(Array.from({ length: TOGETHER }, knock))
  }
}
