import { ApiError } from '../base/api-error.ts'
import { runInSlices, runQuickly } from '../base/run-in-slices.ts'
import type { OpenValue } from '../schema/snapshot/record-format.sql.ts'

/** How many values are decrypted without a pause: some milliseconds. */
const MAX_AT_ONCE = 1000

/** Maximum number of encrypted values in what is decoded together. (docs/how-to/encrypted-fields.md) */
const MAX_DECRYPTED = 200_000

interface Decoding {
  readonly open: OpenValue
  readonly deadline: () => AbortSignal
}

/**
 * Decodes rows in slices where there is much to decode. They may have many encrypted values, which take longer than all else:
 * beyond some they are decrypted in slices of their own.
 * @param decode makes the result with a function that decrypts, and yields between rows. It is called twice where there are many
 * values, and has to ask for the same ones in the same order.
 * @throws ApiError QUERY_TOO_COMPLICATED
 */
export async function decodeInSlices<Result>(
  { open, deadline }: Decoding,
  decode: (open: OpenValue) => Generator<void, Result>,
): Promise<Result> {
  const texts: (string | null)[] = []
  const waiting: Parameters<OpenValue>[] = []
  const first = decode((...value) => {
    if (texts.length < MAX_AT_ONCE) {
      const text = open(...value)
      texts.push(text)
      return text
    }
    if (texts.length + waiting.push(value) > MAX_DECRYPTED) {
      const message = `A page may have at most ${MAX_DECRYPTED} encrypted values: ask for fewer records or fields`
      throw new ApiError('QUERY_TOO_COMPLICATED', message)
    }
    return null
  })
  const result = await runQuickly(first, deadline)
  if (waiting.length === 0) return result
  await runInSlices(function* () {
    for (const value of waiting) {
      texts.push(open(...value))
      yield
    }
  }, deadline())
  let next = 0
  return runQuickly(
    decode(() => texts[next++]!),
    deadline,
  )
}
