import { after, before } from 'node:test'
import { sql } from '../../src/base/sql.ts'
import { readConfig } from '../../src/config/config.ts'
import { JobQueue } from '../../src/jobs/job-queue.ts'
import { WORK_LOGS } from '../../src/scripting/work/work-log.sql.ts'
import { start } from '../../src/server/main.ts'
import type { Engine } from '../../src/storage/database/db.ts'
import type { Org } from '../../src/storage/orgs/org.ts'
import { loadOrgs } from '../../src/storage/orgs/orgs.ts'
import { SECRET_KEY } from './server-process.ts'
import { openTemplateCopy, type TemplateCopy } from './template.ts'
import { writeDeployment } from './trigger-files.ts'

interface Run {
  readonly occurrence: string | null
  readonly status: string
  readonly userId: string
}

/** A server with two orgs of its own, and the queue that it works on as another process sees it. */
interface ScheduledServer {
  readonly engine: Engine
  readonly queue: JobQueue
  readonly orgs: readonly Org[]
  runsIn(org: Org): Promise<readonly Run[]>
}

/** For what happens in every org of a database: those of other tests are none of its business. */
export function useScheduledServer(files: Readonly<Record<string, string>>): () => ScheduledServer {
  const serverUrl = process.env.TEST_DATABASE_URL
  let copy: TemplateCopy
  let end = async () => {}
  let server: ScheduledServer

  before(async () => {
    copy = await openTemplateCopy(serverUrl)
    const { engine } = copy
    const deployment = writeDeployment(files)
    const settings = { data: 'memory', port: '0', sitePort: '0', logLevel: 'silent', deployment }
    const objectry = await start(readConfig(SECRET_KEY, settings), undefined, engine)
    const queue = new JobQueue(engine, WORK_LOGS, () => {})
    end = async () => {
      await queue.close()
      await objectry.stop()
      await copy.drop()
    }
    await queue.open()
    const headers = {
      authorization: `Bearer ${await objectry.issueToken()}`,
      'content-type': 'application/json',
    }
    const body = JSON.stringify({ name: 'Second' })
    const made = await fetch(`${objectry.address}/setup/orgs`, { method: 'POST', headers, body })
    if (made.status !== 201) throw new Error(await made.text())
    server = {
      engine,
      queue,
      orgs: await loadOrgs(engine.db),
      runsIn: (org) =>
        engine.db.query<Run>(
          sql`select occurrence, status, createdbyid as "userId"
              from ${sql.id(org.schemaName, 'backgroundjob')} order by id`,
        ),
    }
  })
  after(() => end())
  return () => server
}
