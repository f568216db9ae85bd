import { ApiError } from '../../base/api-error.ts'
import type { Context } from '../../context.ts'
import { checkMayDeploy } from '../../metadata/deploy/may-deploy.ts'
import type { XmlContents } from '../../xml/write-xml.ts'
import { isOfMetadata, type MetadataOperation } from '../operation-names.ts'
import type { SoapRequest } from '../read-request.ts'
import { cancel, checkDeploy, deploy, deployValidated } from './deploys.ts'
import { describeTypes, listComponents } from './describes.ts'
import { readMetadata } from './read-components.ts'
import { checkRetrieve, checkStatus, retrieve } from './retrieves.ts'

export type CallMetadata = (ctx: Context, request: SoapRequest) => Promise<XmlContents>

const OPERATIONS: Readonly<Record<MetadataOperation, CallMetadata>> = {
  cancelDeploy: cancel,
  checkDeployStatus: checkDeploy,
  checkRetrieveStatus: checkRetrieve,
  checkStatus,
  deploy,
  deployRecentValidation: deployValidated,
  describeMetadata: describeTypes,
  listMetadata: listComponents,
  readMetadata,
  retrieve,
}

/**
 * Carries out a call of the API for metadata. (docs/reference/api/deployments.md#calls)
 * @throws ApiError
 */
export async function callMetadata(ctx: Context, request: SoapRequest): ReturnType<CallMetadata> {
  const { name } = request.operation
  if (!isOfMetadata(name)) {
    throw new ApiError(
      'FUNCTIONALITY_NOT_ENABLED',
      `${name} is not available here. Deploy or retrieve an archive with the component: deploy, retrieve.`,
    )
  }
  checkMayDeploy(ctx)
  try {
    return await OPERATIONS[name](ctx, request)
  } catch (error) {
    // Clients of SOAP know what has no such id by this code.
    if (error instanceof ApiError && error.code === 'NOT_FOUND')
      throw new ApiError('INVALID_CROSS_REFERENCE_KEY', 'invalid cross reference id')
    throw error
  }
}
