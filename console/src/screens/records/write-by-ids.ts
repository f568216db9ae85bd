import { data, get } from '../../api/client.ts'

/** As many records as one call deletes or restores. */
const MAX_AT_ONCE = 200

interface Result {
  readonly success: boolean
  readonly errors: readonly { readonly message: string }[]
}

const PATHS = {
  delete: (ids: readonly string[]) =>
    get<readonly Result[]>(
      data(`/composite/sobjects?${new URLSearchParams({ ids: ids.join(','), allOrNone: 'false' })}`),
      { method: 'DELETE' },
    ),
  undelete: (ids: readonly string[]) =>
    get<readonly Result[]>(data('/undelete'), {
      method: 'POST',
      body: JSON.stringify({ ids, allOrNone: false }),
    }),
}

/** Deletes or restores records one by one, in as few calls as possible. @returns why it was refused, by id */
export async function writeByIds(
  work: keyof typeof PATHS,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const problems = new Map<string, string>()
  for (let start = 0; start < ids.length; start += MAX_AT_ONCE) {
    const some = ids.slice(start, start + MAX_AT_ONCE)
    const results = await PATHS[work](some)
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
