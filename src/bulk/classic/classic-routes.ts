import { type Handler, route } from '../../calls/route.ts'
import { BATCH_PATH } from '../jobs/step-route.ts'

/* The handlers are loaded with the first call. */
const jobs = () => import('./classic-jobs.ts')
const batches = () => import('./read-batch.ts')

type OfJob = Handler<{ job: string }>
type OfBatch = Handler<{ job: string; batch: string }>
type OfResult = Handler<{ job: string; batch: string; result: string }>

const create: Handler<object> = async (ctx, call) => (await jobs()).createClassic(ctx, call)
const show: OfJob = async (ctx, call, { job }) => (await jobs()).showClassic(ctx, call, job)
const change: OfJob = async (ctx, call, { job }) => (await jobs()).changeClassic(ctx, call, job)
const add: OfJob = async (ctx, call, { job }) => (await import('./add-batch.ts')).addBatch(ctx, call, job)
const list: OfJob = async (ctx, call, { job }) => (await batches()).showBatches(ctx, call, job)
const showBatch: OfBatch = async (ctx, call, names) => (await batches()).showBatch(ctx, call, names)
const request: OfBatch = async (ctx, _call, names) => (await batches()).readRequest(ctx, names)
const result: OfBatch = async (ctx, call, names) => (await batches()).readResult(ctx, call, names)
const records: OfResult = async (ctx, _call, names) => (await batches()).readRecords(ctx, names)

/** Jobs of version 1, which take their records in batches. (docs/reference/api/bulk-jobs.md#version-1) */
export const classicRoutes = [
  route('POST', '/services/async/job', 'bulk', create),
  route('GET', '/services/async/job/:job', 'bulk', show),
  route('POST', '/services/async/job/:job', 'bulk', change),
  route('POST', BATCH_PATH, 'bulk', add),
  route('GET', BATCH_PATH, 'bulk', list),
  route('GET', '/services/async/job/:job/batch/:batch', 'bulk', showBatch),
  route('GET', '/services/async/job/:job/batch/:batch/request', 'bulk', request),
  route('GET', '/services/async/job/:job/batch/:batch/result', 'bulk', result),
  route('GET', '/services/async/job/:job/batch/:batch/result/:result', 'bulk', records),
]
