import { parentPort, workerData } from 'node:worker_threads'
import { PGlite, protocol, type Results } from '@electric-sql/pglite'
import { readBuiltImage, unpackImage } from './built-image.ts'
import type { FromThread, Result, ThreadData, ToThread } from './messages.ts'
import { writeThrown } from './thrown-text.ts'

const asText = (text: string) => text

/** Bytes as PostgreSQL writes them: `\x00ff`. They are copied out of the memory that small buffers share. */
const readBytes = (text: string) => new Uint8Array(Buffer.from(text.slice(2), 'hex'))

/** Bytes as an element of an array. */
const writeBytes = (bytes: Uint8Array | null) =>
  bytes === null
    ? 'null'
    : `"\\\\x${Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('hex')}"`

/** The conversions that `ColumnValue` promises: dates stay text, numeric becomes a number, bytes stay bytes. */
const parsers = {
  17: readBytes,
  20: Number,
  1700: Number,
  1082: asText,
  1083: asText,
  1114: asText,
  1184: asText,
}

/** PGlite's own conversions of bytes go through text, byte by byte, which takes a third of a second for a megabyte. */
const serializers = {
  // Bytes are sent in binary, as they are; PGlite's types know of texts only.
  17: (bytes: unknown) => bytes as string,
  1001: (list: readonly (Uint8Array | null)[]) => `{${list.map(writeBytes).join(',')}}`,
}

/** How statements are sent. */
const OPTIONS = { rowMode: 'array', serializers } as const

/** The operating system's file cache is nearly as fast, and a start with less memory is faster. */
const START_PARAMS = [...PGlite.defaultStartParams, '-c', 'shared_buffers=32MB']

const port = parentPort!
const { folder, image: given, isNew = false } = workerData as ThreadData

/**
 * True if the engine's program crashed or its file system failed, and it cannot continue. PostgreSQL's errors have a code; those
 * of class 58 say that its files are missing or cannot be read.
 */
function isBroken(thrown: unknown): boolean {
  const { name = '', code } = (thrown ?? {}) as { readonly name?: string; readonly code?: unknown }
  return ['RuntimeError', 'ErrnoError', 'ExitStatus'].includes(name) || /^58...$/.test(String(code))
}

/** The data for the engine to begin with. That of a folder is written into it. */
function findInitialData(): Uint8Array | undefined {
  if (given !== undefined || !isNew) return given
  try {
    const image = readBuiltImage()
    if (folder === undefined || image === undefined) return image
    unpackImage(image, folder)
  } catch {
    // The engine creates the database itself, or says better why it cannot.
  }
  return undefined
}

/**
 * Bytes that are read in one piece: Node would split a `Blob` into many pieces and join them again. They may lie in shared memory,
 * which is only read.
 */
const makeBlob = (bytes: Uint8Array): Blob =>
  Object.assign(new Blob([]), {
    arrayBuffer: async () =>
      (bytes.length === bytes.buffer.byteLength ? bytes : bytes.slice()).buffer as ArrayBuffer,
  })

const makeResult = ({ fields, rows }: Results<unknown[]>): Result => ({
  names: fields.map(({ name }) => name),
  rows,
})

/** At a commit, PostgreSQL rolls back a transaction with a failed statement without an error. */
async function commit(pglite: PGlite, text: string): Promise<void> {
  const { messages } = await pglite.execProtocol(protocol.serialize.query(text))
  const isCommitted = messages.some(
    (message) => message.name === 'commandComplete' && (message as { text?: string }).text === 'COMMIT',
  )
  if (!isCommitted) throw new Error('The transaction was rolled back at its end')
}

async function carryOut(pglite: PGlite, request: ToThread): Promise<FromThread> {
  switch (request.kind) {
    case 'statement': {
      const results = await pglite.query<unknown[]>(request.text, request.values as unknown[], OPTIONS)
      return { kind: 'done', result: makeResult(results) }
    }
    case 'script':
      await pglite.exec(request.text)
      return { kind: 'done' }
    case 'transactionEnd':
      await commit(pglite, request.text)
      return { kind: 'done' }
    case 'dump':
      return { kind: 'done', image: new Uint8Array(await (await pglite.dumpDataDir('none')).arrayBuffer()) }
    case 'close':
      await pglite.close()
      return { kind: 'done' }
  }
}

async function postAnswer(work: () => Promise<FromThread>): Promise<void> {
  const answer = await work().catch(
    (thrown): FromThread => ({ kind: 'failed', error: writeThrown(thrown), isBroken: isBroken(thrown) }),
  )
  port.postMessage(answer, answer.kind === 'done' && answer.image !== undefined ? [answer.image.buffer] : [])
}

/** Requests are executed one at a time, in order; later ones wait here. */
let lastRequest: Promise<void> = postAnswer(async () => {
  const image = findInitialData()
  const pglite = await PGlite.create({
    dataDir: folder ?? 'memory://',
    ...(image !== undefined && { loadDataDir: makeBlob(image) }),
    startParams: START_PARAMS,
    parsers,
    relaxedDurability: false,
  })
  port.on('message', (request: ToThread) => {
    lastRequest = lastRequest.then(() => postAnswer(() => carryOut(pglite, request)))
  })
  return { kind: 'done' }
})
