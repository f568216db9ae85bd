import { type Answer, call, data, refusalOf } from './client.ts'
import { readDraft, writeDraft } from './drafts.ts'

/*
 * Describes, layouts and the list of objects. They are kept in this browser with their ETag, which is that of all metadata: what one
 * answer confirms is true of all that is kept with it, and is not asked for. What is wanted at the same time is asked for by one call.
 */

interface Kept {
  readonly etag: string
  readonly body: unknown
}

interface Wanted {
  readonly path: string
  readonly resolve: (body: unknown) => void
  readonly reject: (error: unknown) => void
}

interface Step {
  readonly httpStatusCode: number
  readonly httpHeaders: { readonly ETag?: string }
  readonly body: unknown
}

const CONFIRMED_FOR_MS = 5 * 60 * 1000

/** Operations of one composite call. */
const MAX_STEPS = 25

let confirmed: { readonly etag: string; readonly at: number } | undefined
/** A call that will confirm an ETag. */
let asking: Promise<unknown> = Promise.resolve()
let wanted: Wanted[] = []

const placeOf = (path: string) => `metadata${path}`
const ifChanged = (kept: Kept | undefined): Record<string, string> =>
  kept === undefined ? {} : { 'If-None-Match': kept.etag }

/** Takes an answer: a new body, or none where what is kept is still true. */
function take({ path, resolve }: Wanted, kept: Kept | undefined, etag: string | undefined, body: unknown) {
  if (etag !== undefined) confirmed = { etag, at: Date.now() }
  if (etag !== undefined && body !== undefined) void writeDraft(placeOf(path), { etag, body } satisfies Kept)
  resolve(body ?? kept?.body)
}

async function askOne(one: Wanted, kept: Kept | undefined): Promise<void> {
  const { headers, status, body }: Answer = await call(data(one.path), { headers: ifChanged(kept) })
  take(one, kept, headers.get('etag') ?? undefined, status === 304 ? undefined : body)
}

async function askTogether(all: readonly Wanted[], kept: ReadonlyMap<Wanted, Kept>): Promise<void> {
  const compositeRequest = all.map((one, index) => ({
    method: 'GET',
    url: data(one.path),
    referenceId: `step${index}`,
    httpHeaders: ifChanged(kept.get(one)),
  }))
  const { body } = await call<{ compositeResponse: readonly Step[] }>(data('/composite'), {
    method: 'POST',
    body: { compositeRequest },
  })
  body.compositeResponse.forEach(({ httpStatusCode: status, httpHeaders, body: found }, index) => {
    const one = all[index]!
    if (status >= 400) one.reject(refusalOf('GET', data(one.path), status, found))
    else take(one, kept.get(one), httpHeaders.ETag, status === 304 ? undefined : found)
  })
}

async function askFor(all: readonly Wanted[]): Promise<void> {
  const kept = new Map<Wanted, Kept>()
  for (const one of all) {
    const found = await readDraft<Kept>(placeOf(one.path))
    if (found !== undefined) kept.set(one, found)
  }
  if (kept.size > 0) await asking
  const isTrue = (one: Wanted) =>
    confirmed !== undefined &&
    kept.get(one)?.etag === confirmed.etag &&
    Date.now() - confirmed.at < CONFIRMED_FOR_MS
  /** Settles those that are known to be true. @returns the others */
  const settle = (some: readonly Wanted[]) => {
    for (const one of some.filter(isTrue)) one.resolve(kept.get(one)!.body)
    return some.filter((one) => !isTrue(one))
  }
  const ask = (some: readonly Wanted[]) => {
    asking = (some.length === 1 ? askOne(some[0]!, kept.get(some[0]!)) : askTogether(some, kept)).catch(
      (error) => {
        for (const { reject } of some) reject(error)
      },
    )
    return asking
  }
  let open = settle(all)
  // One of those that are kept asks for all of them.
  const first = open.find((one) => kept.has(one))
  if (first !== undefined) {
    await ask([first])
    open = settle(open.filter((one) => one !== first))
  }
  for (let from = 0; from < open.length; from += MAX_STEPS) await ask(open.slice(from, from + MAX_STEPS))
}

/** The answer of a resource of metadata. @throws CallError */
export function readMetadata<T>(path: string): Promise<T> {
  return new Promise<unknown>((resolve, reject) => {
    wanted.push({ path, resolve, reject })
    if (wanted.length > 1) return
    // What the same screen wants comes within this turn.
    setTimeout(() => {
      const all = wanted
      wanted = []
      void askFor(all)
    })
  }) as Promise<T>
}
