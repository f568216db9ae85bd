import { visibleTo } from '../src/access/visible-to.ts'
import { openSecretBox } from '../src/auth/keys/secret-key.ts'
import { NO_TRIGGERS } from '../src/automation/triggers/make-triggers.ts'
import { makeApiVersion } from '../src/base/api-version.ts'
import { systemClock } from '../src/base/clock.ts'
import { OrgRuntimes } from '../src/calls/org-runtimes.ts'
import type { Context } from '../src/context.ts'
import { UNBOUNDED } from '../src/quota/answer-bytes.ts'
import type { Db } from '../src/storage/database/db.ts'
import type { Org } from '../src/storage/orgs/org.ts'
import { TOPICS } from '../src/streaming/topics/load-topics.ts'

/** The context of a user's calls, without HTTP. */
export async function makeContext(db: Db, org: Org, userId: string): Promise<Context> {
  const secrets = openSecretBox({ data: 'memory', secretKey: undefined })
  const { snapshots, callers, ids, cipher } = new OrgRuntimes(db, secrets, TOPICS).of(org)
  const schema = await snapshots.current()
  const { principal, access } = (await callers.of(userId))!
  return {
    org,
    schema,
    visible: visibleTo(access, schema),
    principal,
    access,
    cipher,
    version: makeApiVersion(64),
    db,
    ids,
    nested: undefined,
    triggers: NO_TRIGGERS,
    topics: TOPICS.none,
    triggerDepth: 0,
    clock: systemClock,
    origin: '',
    answer: UNBOUNDED,
    observe: () => {},
    worksOn: () => {},
  } as unknown as Context
}
