import { fetchRecords } from './ask.ts'
import type { TestOrg } from './org.ts'
import { until } from './until.ts'

/** Returns the log of runs, the oldest first. */
export const fetchRuns = (o: TestOrg, where = ''): Promise<Record<string, unknown>[]> =>
  fetchRecords(
    o,
    `SELECT Id, Job, Payload, Status, Attempts, Occurrence, LastError, IsReplay, NextAttemptDate, CreatedById
     FROM BackgroundJob ${where} ORDER BY Id`,
  )

const isOver = ({ Status }: Record<string, unknown>) => Status === 'Done' || Status === 'Dead'

/** Waits until a run is in one of these states; throws when it ended in another one. */
export const untilRun = (o: TestOrg, id: string, ...statuses: string[]): Promise<Record<string, unknown>> =>
  until(async () => {
    const [run] = await fetchRuns(o, `WHERE Id = '${id}'`)
    const isThere = statuses.includes(run!.Status as string)
    if (!isThere && isOver(run!)) throw new Error(`The run is ${run!.Status}: ${run!.LastError}`)
    return isThere && run
  })
