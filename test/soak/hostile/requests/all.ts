import type { HostileRequest } from '../hostile-request.ts'
import type { Location } from '../place.ts'
import {
  encodingRequests,
  formRequests,
  jsonRequests,
  oauthRequests,
  recordRequests,
  uploadRequests,
  webhookRequests,
} from './bodies.ts'
import { requestsByRoute } from './by-route.ts'
import { costlyRequests } from './costly.ts'
import { queryRequests } from './queries.ts'
import { addressRequests, transportRequests } from './transport.ts'

/** Every request by name but the slow ones. */
export function allRequests(location: Location): HostileRequest[] {
  const makers = [
    jsonRequests,
    recordRequests,
    encodingRequests,
    formRequests,
    oauthRequests,
    webhookRequests,
    uploadRequests,
    queryRequests,
    transportRequests,
    addressRequests,
    costlyRequests,
    requestsByRoute,
  ]
  return makers.flatMap((make) => make(location))
}
