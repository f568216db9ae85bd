import { parentPort, workerData } from 'node:worker_threads'
import { PGlite, protocol, type Results } from '@electric-sql/pglite'
import type { FromThread, Result, ThreadData, ToThread } from './messages.ts'
import { writeThrown } from './thrown-text.ts'

const asText = (text: string) => text
/** The conversions that `ColumnValue` promises: dates stay text, numeric becomes a number, bytes stay bytes. */
const parsers = { 20: Number, 1700: Number, 1082: asText, 1083: asText, 1114: asText, 1184: asText }

/** What the operating system holds of the files is nearly as near, and memory that is not taken makes a start faster. */
const START_PARAMS = [...PGlite.defaultStartParams, '-c', 'shared_buffers=32MB']

const port = parentPort!
const { folder, image } = workerData as ThreadData

/**
 * The engine's own program ended, or its file system failed: it can do nothing more. PostgreSQL's errors have a code; those of
 * class 58 say that its files are not there, or cannot be read.
 */
function isBroken(thrown: unknown): boolean {
  const { name = '', code } = (thrown ?? {}) as { readonly name?: string; readonly code?: unknown }
  return ['RuntimeError', 'ErrnoError', 'ExitStatus'].includes(name) || /^58...$/.test(String(code))
}

/** Bytes that are read as a whole: Node would hand them out in many pieces and put those together again. */
const blobOf = (bytes: Uint8Array<ArrayBuffer>): Blob =>
  Object.assign(new Blob([]), {
    arrayBuffer: async () => (bytes.length === bytes.buffer.byteLength ? bytes.buffer : bytes.slice().buffer),
  })

const resultOf = ({ fields, rows }: Results<unknown[]>): Result => ({
  names: fields.map(({ name }) => name),
  rows,
})

/** What is left of a transaction after a failed statement is rolled back without an error. */
async function commit(pglite: PGlite, text: string): Promise<void> {
  const { messages } = await pglite.execProtocol(protocol.serialize.query(text))
  const isCommitted = messages.some(
    (message) => message.name === 'commandComplete' && (message as { text?: string }).text === 'COMMIT',
  )
  if (!isCommitted) throw new Error('The transaction was rolled back at its end')
}

async function carryOut(pglite: PGlite, requested: ToThread): Promise<FromThread> {
  switch (requested.kind) {
    case 'statement': {
      const options = { rowMode: 'array' } as const
      const results = await pglite.query<unknown[]>(requested.text, requested.values as unknown[], options)
      return { kind: 'done', result: resultOf(results) }
    }
    case 'script':
      await pglite.exec(requested.text)
      return { kind: 'done' }
    case 'transactionEnd':
      await commit(pglite, requested.text)
      return { kind: 'done' }
    case 'dump':
      return { kind: 'done', image: new Uint8Array(await (await pglite.dumpDataDir('none')).arrayBuffer()) }
    case 'close':
      await pglite.close()
      return { kind: 'done' }
  }
}

async function answerWith(work: () => Promise<FromThread>): Promise<void> {
  const answer = await work().catch(
    (thrown): FromThread => ({ kind: 'failed', error: writeThrown(thrown), isBroken: isBroken(thrown) }),
  )
  port.postMessage(answer, answer.kind === 'done' && answer.image !== undefined ? [answer.image.buffer] : [])
}

/** One after the other: what is asked meanwhile waits here. */
let turn: Promise<void> = answerWith(async () => {
  const pglite = await PGlite.create({
    dataDir: folder ?? 'memory://',
    loadDataDir: image && blobOf(image as Uint8Array<ArrayBuffer>),
    startParams: START_PARAMS,
    parsers,
    relaxedDurability: false,
  })
  port.on('message', (requested: ToThread) => {
    turn = turn.then(() => answerWith(() => carryOut(pglite, requested)))
  })
  return { kind: 'done' }
})
