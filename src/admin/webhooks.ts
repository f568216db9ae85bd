import { type Handler, type Route, route } from '../calls/route.ts'
import { DELIVERY_LOG } from '../customrest/webhooks/delivery-log.ts'
import { checkOrg } from './orgs.ts'
import type { Platform } from './platform.ts'
import { countWork, workHandlers } from './work-handlers.ts'

/** Properties of a delivery that only its own resource shows. */
interface DeliveryDetails {
  /** As JSON. */
  readonly headers: string
  /** In base64. */
  readonly body: string
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** The body as text, if it is valid UTF-8. */
function decodeBody(base64: string) {
  const bytes = Buffer.from(base64, 'base64')
  try {
    return { body: utf8.decode(bytes), bodyEncoding: 'utf-8' }
  } catch {
    return { body: bytes.toString('base64'), bodyEncoding: 'base64' }
  }
}

const shown = ({ headers, body, ...rest }: DeliveryDetails) => ({
  ...rest,
  headers: JSON.parse(headers),
  ...decodeBody(body),
})

/** Lists receivers and their deliveries, and replays deliveries. */
export const webhookRoutes = (platform: Platform): readonly Route[] => {
  const { code } = platform
  const noSuch = 'There is no such delivery'
  const deliveries = workHandlers(platform, { log: DELIVERY_LOG, owner: 'receiver', noSuch, shown })

  /** Includes receivers that were removed from the deployment, because their deliveries still exist. */
  const list: Handler<{ org: string }> = async (ctx, _call, { org }) => {
    await checkOrg(ctx, org)
    const resources = code.current?.resources.all ?? []
    const receivers = new Map(
      resources.flatMap(({ name, path, webhook }) => (webhook ? [[name, { path, webhook }] as const] : [])),
    )
    const counts = await countWork(ctx, DELIVERY_LOG, [...receivers.keys()])
    const body = [...counts].map(([name, count]) => {
      const { path = null, webhook } = receivers.get(name) ?? {}
      return { name, path, object: webhook?.object ?? null, signature: webhook?.scheme ?? null, ...count }
    })
    return { status: 200, body }
  }

  return [
    route('GET', '/orgs/:org/webhooks', 'setup', list),
    route('GET', '/orgs/:org/webhooks/deliveries', 'setup', deliveries.list),
    route('GET', '/orgs/:org/webhooks/deliveries/:id', 'setup', deliveries.show),
    route('POST', '/orgs/:org/webhooks/deliveries/:id/replay', 'setup', deliveries.replay),
    route('POST', '/orgs/:org/webhooks/replay', 'setup', deliveries.replayAll),
  ]
}
