import { ApiError } from '../../base/api-error.ts'
import { isObject } from '../../base/json.ts'
import { type Handler, type Route, route } from '../../calls/route.ts'
import type { Deploy } from './deploy.ts'
import { checkMayDeploy } from './may-deploy.ts'

/* What deploys is loaded with the first call. */
const store = () => import('./deploy-store.ts')

async function describe(deploy: Deploy, includesDetails: boolean) {
  const { deployBody } = await import('./deploy-body.ts')
  return deployBody(deploy, includesDetails)
}

const create: Handler<object> = async (ctx, call) => {
  const { createDeploy, repeatDeploy, findDeploy } = await store()
  checkMayDeploy(ctx)
  const { body } = call
  if (!isObject(body))
    throw new ApiError('INVALID_INPUT', 'The body has deployOptions and a part named file.')
  const { validatedDeployRequestId: validated } = body
  if (validated !== undefined && typeof validated !== 'string')
    throw new ApiError('INVALID_INPUT', 'validatedDeployRequestId is an id')
  const { readOptions } = await import('./deploy-options.ts')
  const id =
    validated === undefined
      ? await createDeploy(ctx, body.file, readOptions(body.deployOptions))
      : await repeatDeploy(ctx, validated)
  return { status: 201, body: await describe(await findDeploy(ctx, id), false) }
}

const show: Handler<{ id: string }> = async (ctx, call, { id }) => {
  const { findDeploy } = await store()
  checkMayDeploy(ctx)
  const includesDetails = call.query.get('includeDetails') === 'true'
  return { status: 200, body: await describe(await findDeploy(ctx, id), includesDetails) }
}

const change: Handler<{ id: string }> = async (ctx, call, { id }) => {
  const { cancelDeploy } = await store()
  checkMayDeploy(ctx)
  const wished =
    isObject(call.body) && isObject(call.body.deployResult) ? call.body.deployResult.status : undefined
  if (wished !== 'Canceling')
    throw new ApiError(
      'INVALID_INPUT',
      'A deployment can be canceled: {"deployResult": {"status": "Canceling"}}',
    )
  return { status: 202, body: await describe(await cancelDeploy(ctx, id), false) }
}

/** Deployments of archives. (docs/reference/api/deployments.md#deploy) */
export const deployRoutes: readonly Route[] = [
  route('POST', '/metadata/deployRequest', 'setup', create),
  route('GET', '/metadata/deployRequest/:id', 'setup', show),
  route('PATCH', '/metadata/deployRequest/:id', 'setup', change),
]
