/*
 * What was typed and not sent yet, in the browser's own database: by org, user and place. It is written at once and read when the
 * place opens again.
 */

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

export async function writeDraft(place: string, value: unknown): Promise<void> {
  await run('readwrite', (store) => store.put(value, owner + place)).catch(() => undefined)
}

export async function dropDraft(place: string): Promise<void> {
  await run('readwrite', (store) => store.delete(owner + place)).catch(() => undefined)
}
