import type { ComponentResult, Deploy } from './deploy.ts'
import { NO_TESTS } from './no-tests.ts'

const ENDED = ['Succeeded', 'SucceededPartial', 'Failed', 'Canceled']

function makeDetails({ outcome }: Deploy) {
  const components = outcome?.components ?? []
  return {
    componentSuccesses: components.filter(({ success }) => success),
    componentFailures: components.filter(({ success }) => !success),
    runTestResult: NO_TESTS,
  }
}

const isDeployed = ({ success, componentType }: ComponentResult) => success && componentType !== ''

/** Returns a deployment as the API describes it. (docs/reference/api/deployments.md#result) */
export function deployBody(deploy: Deploy, includesDetails: boolean): Readonly<Record<string, unknown>> {
  const { id, status, options, outcome, validatedId } = deploy
  const done = ENDED.includes(status)
  const components = outcome?.components ?? []
  const errors = components.filter(({ success }) => !success).length
  const { checkOnly, ignoreWarnings, rollbackOnError, testLevel } = options
  return {
    id,
    validatedDeployRequestId: validatedId,
    deployOptions: options,
    deployResult: {
      id,
      status,
      done,
      success: status === 'Succeeded' || status === 'SucceededPartial',
      ...{ checkOnly, ignoreWarnings, rollbackOnError },
      runTestsEnabled: testLevel !== 'NoTestRun',
      createdBy: deploy.userId,
      createdByName: deploy.userName,
      createdDate: deploy.createdAt,
      lastModifiedDate: deploy.modifiedAt,
      ...(deploy.startedAt !== null && { startDate: deploy.startedAt }),
      ...(deploy.completedAt !== null && { completedDate: deploy.completedAt }),
      numberComponentsTotal: deploy.total,
      // Notes of the archive as a whole are no components.
      numberComponentsDeployed: status === 'Failed' ? 0 : components.filter(isDeployed).length,
      numberComponentErrors: errors,
      numberTestsTotal: 0,
      numberTestsCompleted: 0,
      numberTestErrors: 0,
      ...(outcome?.error && { errorStatusCode: outcome.error.code, errorMessage: outcome.error.message }),
      ...(deploy.canceledById !== null && {
        canceledBy: deploy.canceledById,
        canceledByName: deploy.canceledByName,
      }),
      ...(includesDetails && { details: makeDetails(deploy) }),
    },
  }
}
