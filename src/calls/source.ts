import type { ApiVersion } from '../base/api-version.ts'
import { type Call, optionHeader } from './call.ts'

/** What changes records: the REST interface, the rows of bulk jobs, or deployed code that no call runs. */
export type ChangingApi = 'rest' | 'bulkapi' | 'apex'

/** Longer names of clients are cut. */
const MAX_CLIENT = 255

/**
 * The origin of changes, as change events say it: `com/salesforce/api/rest/64.0;client=loader`. The client is the one that the header of the
 * call options names: `Sforce-Call-Options: client=loader`. (docs/reference/api/streaming.md#change-events)
 */
export function makeSource(api: ChangingApi, { text }: ApiVersion, call?: Pick<Call, 'headers'>): string {
  const options = call === undefined ? undefined : optionHeader(call, 'call-options')
  const client = options === undefined ? undefined : /(?:^|[,;])\s*client\s*=\s*([^,;]+)/i.exec(options)?.[1]
  const named = client === undefined ? '' : `;client=${client.trim().slice(0, MAX_CLIENT)}`
  return `com/salesforce/api/${api}/${text}${named}`
}
