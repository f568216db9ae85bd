import { dropDraft, listDrafts, writeDraft } from '../../api/drafts.ts'
import type { QueryLanguage } from './run.ts'

/** What was run, in this browser. */
export interface Ran {
  readonly at: number
  readonly language: QueryLanguage
  readonly text: string
  readonly isFailed: boolean
  readonly rows: number
  readonly durationMs: number
}

const KEPT = 100
const placeOf = (at: number) => `query/history/${at}`

export async function remember(ran: Ran): Promise<void> {
  await writeDraft(placeOf(ran.at), ran)
  const all = await listDrafts<Ran>('query/history/')
  for (const { at } of all.slice(0, Math.max(0, all.length - KEPT))) await dropDraft(placeOf(at))
}

/** The newest first. */
export const listHistory = async (): Promise<Ran[]> => (await listDrafts<Ran>('query/history/')).reverse()
