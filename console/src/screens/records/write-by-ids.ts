import { data, get } from '../../api/client.ts'

/** As many records as one call writes. */
const MAX_AT_ONCE = 200

interface Result {
  readonly success: boolean
  readonly errors: readonly { readonly message: string }[]
}

/** One call for some records. */
type Write = (ids: readonly string[]) => Promise<readonly Result[]>

export const deleteRecords: Write = (ids) =>
  get(data(`/composite/sobjects?${new URLSearchParams({ ids: ids.join(','), allOrNone: 'false' })}`), {
    method: 'DELETE',
  })

export const undeleteRecords: Write = (ids) =>
  get(data('/undelete'), { method: 'POST', body: { ids, allOrNone: false } })

/** Gives records of an object the same values. */
export const setValues =
  (object: string, values: Readonly<Record<string, unknown>>): Write =>
  (ids) => {
    const records = ids.map((Id) => ({ attributes: { type: object }, Id, ...values }))
    return get(data('/composite/sobjects'), {
      method: 'PATCH',
      body: { allOrNone: false, records },
    })
  }

/** Writes records one by one, in as few calls as possible. @returns why it was refused, by id */
export async function writeByIds(write: Write, ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const problems = new Map<string, string>()
  for (let start = 0; start < ids.length; start += MAX_AT_ONCE) {
    const some = ids.slice(start, start + MAX_AT_ONCE)
    const results = await write(some)
    results.forEach(({ success, errors }, index) => {
      if (!success) problems.set(some[index]!, errors[0]?.message ?? 'refused')
    })
  }
  return problems
}

/** The first few problems, a line each. */
export const problemsText = (problems: ReadonlyMap<string, string>): string =>
  [...problems]
    .slice(0, 5)
    .map(([id, message]) => `${id}: ${message}`)
    .join('\n')
