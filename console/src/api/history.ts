import { dropDraft, listDrafts, writeDraft } from './drafts.ts'

/** Entries of a history that are kept. */
const MAX_KEPT = 100

export interface HistoryEntry {
  /** When it was done, in milliseconds. It tells entries apart. */
  readonly at: number
}

/** Keeps what was done in this browser; the oldest entries go. */
export async function addToHistory<T extends HistoryEntry>(place: string, entry: T): Promise<void> {
  await writeDraft(`${place}${entry.at}`, entry)
  const all = await listDrafts<T>(place)
  for (const { at } of all.slice(0, Math.max(0, all.length - MAX_KEPT))) await dropDraft(`${place}${at}`)
}

/** The newest first. */
export const listHistory = async <T extends HistoryEntry>(place: string): Promise<T[]> =>
  (await listDrafts<T>(place)).reverse()
