import { ApiError } from '../../base/api-error.ts'
import { runInSlices } from '../../base/run-in-slices.ts'
import { deployBody } from '../../metadata/deploy/deploy-body.ts'
import { readOptions } from '../../metadata/deploy/deploy-options.ts'
import { cancelDeploy, createDeploy, findDeploy, repeatDeploy } from '../../metadata/deploy/deploy-store.ts'
import { decodeInSlices } from '../../schema/fields/base64.ts'
import { WrongKind } from '../../schema/fields/field-type.ts'
import type { XmlContent } from '../../xml/write-xml.ts'
import type { SoapRequest } from '../read-request.ts'
import type { CallMetadata } from './call-metadata.ts'
import { type ElementReader, readElement } from './read-element.ts'

const FLAGS = [
  'allowMissingFiles',
  'autoUpdatePackage',
  'checkOnly',
  'ignoreWarnings',
  'performRetrieve',
  'purgeOnDelete',
  'rollbackOnError',
  'singlePackage',
]

function readDeployOptions(given: ElementReader | undefined) {
  const flags = FLAGS.map((name) => [name, given?.isTrue(name) ?? false] as const)
  const testLevel = given?.text('testLevel') || 'NoTestRun'
  return readOptions({ ...Object.fromEntries(flags), testLevel })
}

async function decodeArchive(
  { archive = new Uint8Array() }: SoapRequest,
  deadline: AbortSignal,
): Promise<Buffer> {
  const { buffer, byteOffset, byteLength } = archive
  const digits = Buffer.from(buffer, byteOffset, byteLength)
  try {
    return (await runInSlices(() => decodeInSlices(digits), deadline)) ?? Buffer.alloc(0)
  } catch (error) {
    if (error instanceof WrongKind) throw new ApiError('INVALID_INPUT', 'ZipFile is not base64.')
    throw error
  }
}

const begun = (id: string): XmlContent => ({ done: false, id, state: 'Queued' })

export const deploy: CallMetadata = async (ctx, request) => {
  const call = readElement(request, request.operation)
  const options = readDeployOptions(call.child('DeployOptions'))
  if (call.child('ZipFile') === undefined) throw new ApiError('INVALID_INPUT', 'The call has no ZipFile.')
  const archive = await decodeArchive(request, ctx.deadline())
  return begun(await createDeploy(ctx, archive, options))
}

/** Answers with the id alone. */
export const deployValidated: CallMetadata = async (ctx, request) =>
  repeatDeploy(ctx, readElement(request, request.operation).text('validationId') ?? '')

export const checkDeploy: CallMetadata = async (ctx, request) => {
  const call = readElement(request, request.operation)
  const found = await findDeploy(ctx, call.text('asyncProcessId') ?? '')
  return deployBody(found, call.isTrue('includeDetails')).deployResult as XmlContent
}

export const cancel: CallMetadata = async (ctx, request) => {
  const call = readElement(request, request.operation)
  // Clients differ in what they call it.
  const { id, status } = await cancelDeploy(ctx, call.text('id') ?? call.text('String') ?? '')
  return { done: status !== 'Canceling', id }
}
