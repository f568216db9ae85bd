import { isObject } from '../../base/json.ts'
import type { Call } from '../../calls/call.ts'
import type { Reply } from '../../calls/reply.ts'

/** True if the call writes records that its body lists; reads by POST name an object. */
const writesBody = ({ method, path }: Call) =>
  method === 'PATCH' || (method === 'POST' && /^\/composite\/sobjects\/?$/i.test(path))

/** In a composite where all must succeed, all records of a collection must. (docs/reference/api/composite.md#all-or-nothing) */
export function inAllOrNone(call: Call): Call {
  if (call.method === 'DELETE') {
    const query = new URLSearchParams(call.query)
    query.set('allOrNone', 'true')
    return { ...call, query }
  }
  if (!writesBody(call) || !isObject(call.body)) return call
  return { ...call, body: { ...call.body, allOrNone: true } }
}

/** A collection answers 200 even where its records failed. */
export const collectionFailed = ({ body }: Reply): boolean =>
  Array.isArray(body) && body.some((result) => isObject(result) && result.success === false)
