/*
 * Text that was typed and not sent yet, in the browser's own database: by org, user and place. It is written at once and read when the
 * place opens again.
 */

import { useEffect, useState } from 'react'

const STORE = 'drafts'
let database: Promise<IDBDatabase> | undefined
let owner = ''

/** Whose drafts these are: nobody reads those of another org or user. */
export function ownDrafts(orgId: string, userId: string): void {
  owner = `${orgId}/${userId}/`
}

function open(): Promise<IDBDatabase> {
  database ??= new Promise((resolve, reject) => {
    const request = indexedDB.open('objectry-console', 1)
    request.onupgradeneeded = () => request.result.createObjectStore(STORE)
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(request.error)
  })
  return database
}

async function run<T>(mode: IDBTransactionMode, act: (store: IDBObjectStore) => IDBRequest<T>): Promise<T> {
  const request = act((await open()).transaction(STORE, mode).objectStore(STORE))
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(request.error)
  })
}

/** Undefined when there is none, or the browser keeps nothing. */
export async function readDraft<T>(place: string): Promise<T | undefined> {
  return run('readonly', (store) => store.get(owner + place)).catch(() => undefined)
}

/** Undefined until it was read, null when there is none. A form waits for it: nothing typed meanwhile would be lost. */
export function useDraft<T>(place: string): T | null | undefined {
  const [found, setFound] = useState<{ readonly place: string; readonly draft: T | null }>()
  useEffect(() => {
    let isGone = false
    void readDraft<T>(place).then((draft) => {
      if (!isGone) setFound({ place, draft: draft ?? null })
    })
    return () => {
      isGone = true
    }
  }, [place])
  return found?.place === place ? found.draft : undefined
}

export async function writeDraft(place: string, value: unknown): Promise<void> {
  await run('readwrite', (store) => store.put(value, owner + place)).catch(() => undefined)
}

export async function dropDraft(place: string): Promise<void> {
  await run('readwrite', (store) => store.delete(owner + place)).catch(() => undefined)
}

/** All drafts of places that begin so, in the order of their places. */
export async function listDrafts<T>(beginning: string): Promise<T[]> {
  const range = IDBKeyRange.bound(owner + beginning, `${owner}${beginning}\uffff`)
  return (await run('readonly', (store) => store.getAll(range)).catch(() => [])) as T[]
}

interface Versioned {
  readonly revision: number
}

/**
 * Does something with a draft that was read at a revision.
 * @returns false when another window has written it meanwhile: then nothing is done
 */
async function atRevision(
  place: string,
  revision: number,
  act: (store: IDBObjectStore) => IDBRequest,
): Promise<boolean> {
  try {
    const store = (await open()).transaction(STORE, 'readwrite').objectStore(STORE)
    return await new Promise((resolve, reject) => {
      const reading = store.get(owner + place)
      reading.onerror = () => reject(reading.error)
      reading.onsuccess = () => {
        const before = reading.result as Versioned | undefined
        if (before !== undefined && before.revision !== revision) return resolve(false)
        const acting = act(store)
        acting.onsuccess = () => resolve(true)
        acting.onerror = () => reject(acting.error)
      }
    })
  } catch {
    return true
  }
}

/** Writes a draft that was read at `value.revision`, as the next revision; false when another window was earlier. */
export const writeRevision = <T extends Versioned>(place: string, value: T): Promise<boolean> =>
  atRevision(place, value.revision, (store) =>
    store.put({ ...value, revision: value.revision + 1 }, owner + place),
  )

/** Drops a draft that was read at a revision; false when another window has written it: then it stays. */
export const dropRevision = (place: string, revision: number): Promise<boolean> =>
  atRevision(place, revision, (store) => store.delete(owner + place))
