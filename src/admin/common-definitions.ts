import { ApiError } from '../base/api-error.ts'
import { holdExit } from '../base/exit-hold.ts'
import { readEnvelope } from '../calls/envelope.ts'
import { noContent } from '../calls/reply.ts'
import { type Handler, type Route, route } from '../calls/route.ts'
import type { Context } from '../context.ts'
import { DEFINITION_KINDS } from '../definitions/files/has-definitions.ts'
import { retryOnLockTimeout } from '../schema/change/retry-on-lock-timeout.ts'
import { requireFirstOrg } from './orgs.ts'
import type { Platform } from './platform.ts'
import { readFiles, readMode } from './schema.ts'

const MEMBERS = [...DEFINITION_KINDS, 'mode', 'allowDestructive'] as const

/** Deploys definition files to all orgs in the background. (docs/reference/api/admin-api.md) */
export const commonDefinitionRoutes = ({ definitions, wakeUpgrades }: Platform): readonly Route[] => {
  async function reply({ db }: Context, status: number) {
    const body = await definitions.load(db)
    if (body === undefined) throw new ApiError('NOT_FOUND', 'Nothing was deployed to all orgs')
    return { status, body }
  }

  const deploy: Handler<object> = async (ctx, call) => {
    await requireFirstOrg(ctx)
    const envelope = readEnvelope(call, MEMBERS)
    const { files } = await readFiles(envelope, ctx.deadline())
    const content = {
      files,
      mode: readMode(envelope),
      allowDestructive: envelope.flag('allowDestructive') ?? false,
    }
    await retryOnLockTimeout(ctx.db, async (tx) => {
      await definitions.set(tx, content)
      await definitions.request(tx)
    })
    wakeUpgrades()
    return reply(ctx, 202)
  }

  const read: Handler<object> = async (ctx) => {
    await requireFirstOrg(ctx)
    return reply(ctx, 200)
  }

  const stop: Handler<object> = async (ctx) => {
    await requireFirstOrg(ctx)
    await definitions.stop(ctx.db)
    return noContent
  }

  return [
    route('GET', '/schema', 'setup', read),
    route('PUT', '/schema', 'setup', (...call) => holdExit(() => deploy(...call))),
    route('DELETE', '/schema', 'setup', stop),
  ]
}
