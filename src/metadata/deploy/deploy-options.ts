import { ApiError } from '../../base/api-error.ts'

/** How an archive is deployed. (docs/reference/api/deployments.md#options) */
export interface DeployOptions {
  readonly checkOnly: boolean
  readonly ignoreWarnings: boolean
  readonly rollbackOnError: boolean
  readonly purgeOnDelete: boolean
  readonly singlePackage: boolean
  readonly allowMissingFiles: boolean
  readonly autoUpdatePackage: boolean
  readonly performRetrieve: boolean
  readonly testLevel: string
}

const FLAGS = [
  'checkOnly',
  'ignoreWarnings',
  'rollbackOnError',
  'purgeOnDelete',
  'singlePackage',
  'allowMissingFiles',
  'autoUpdatePackage',
  'performRetrieve',
] as const

const TEST_LEVELS = [
  'NoTestRun',
  'RunSpecifiedTests',
  'RunLocalTests',
  'RunAllTestsInOrg',
  'RunRelevantTests',
]

function readFlag(given: Readonly<Record<string, unknown>>, name: string): boolean {
  const value = given[name] ?? false
  if (typeof value === 'boolean') return value
  throw new ApiError('INVALID_INPUT', `${name} is true or false`)
}

/** @throws ApiError INVALID_INPUT */
export function readOptions(given: unknown): DeployOptions {
  if (given !== undefined && (typeof given !== 'object' || given === null || Array.isArray(given)))
    throw new ApiError('INVALID_INPUT', 'deployOptions is an object')
  const members: Readonly<Record<string, unknown>> = { ...given }
  const testLevel = members.testLevel ?? 'NoTestRun'
  if (typeof testLevel !== 'string' || !TEST_LEVELS.includes(testLevel))
    throw new ApiError('INVALID_INPUT', `testLevel is one of: ${TEST_LEVELS.join(', ')}`)
  const flags = Object.fromEntries(FLAGS.map((name) => [name, readFlag(members, name)]))
  return { ...(flags as Record<(typeof FLAGS)[number], boolean>), testLevel }
}
