import { ApiError } from '../../base/api-error.ts'
import { findDeploy } from '../../metadata/deploy/deploy-store.ts'
import { createRetrieve, findRetrieve } from '../../metadata/retrieve/retrieve.ts'
import { MEMBER_SEPARATOR } from '../join-members.ts'
import type { CallMetadata } from './call-metadata.ts'
import { type ElementReader, readElement } from './read-element.ts'

/** Of all types of a request. */
const MAX_MEMBERS = 10_000

const readMembers = (type: ElementReader) =>
  type.texts('members').flatMap((joined) => joined.split(MEMBER_SEPARATOR).map((member) => member.trim()))

export const retrieve: CallMetadata = async (ctx, request) => {
  const call = readElement(request, request.operation)
  // Clients differ in what they call it.
  const wish = call.child('request') ?? call.child('retrieveRequest')
  if (wish === undefined) throw new ApiError('INVALID_INPUT', 'The call has no retrieveRequest.')
  if (wish.texts('packageNames').length > 0)
    throw new ApiError('INVALID_INPUT', 'There are no packages here: name the components in unpackaged.')
  const types = wish.child('unpackaged')?.children('types') ?? []
  const wanted = types.map((type) => ({ type: type.text('name') ?? '', members: readMembers(type) }))
  const count = wanted.reduce((sum, { members }) => sum + members.length, 0)
  if (count > MAX_MEMBERS)
    throw new ApiError('LIMIT_EXCEEDED', `A request names at most ${MAX_MEMBERS} components.`)
  const version = `${ctx.version.major}.0`
  const id = await createRetrieve(ctx, { wanted, version, isSingle: wish.isTrue('singlePackage') })
  return { done: false, id, state: 'Queued' }
}

/** The archive is made already: the first check has it. */
export const checkRetrieve: CallMetadata = async (ctx, request) => {
  const call = readElement(request, request.operation)
  const includesZip = call.text('includeZip') === undefined || call.isTrue('includeZip')
  const found = await findRetrieve(ctx, call.text('asyncProcessId') ?? '', includesZip)
  return {
    done: true,
    fileProperties: found.files,
    id: found.id,
    messages: found.messages.map((problem) => ({ fileName: 'unpackaged/package.xml', problem })),
    status: 'Succeeded',
    success: true,
    ...(found.archive && { zipFile: found.archive.toString('base64') }),
  }
}

/** Asks for several jobs, whatever they do; older clients wait for retrieves with it. */
export const checkStatus: CallMetadata = async (ctx, request) => {
  const ids = readElement(request, request.operation).texts('asyncProcessId')
  const states = []
  for (const given of ids.slice(0, 10)) {
    if (given.startsWith('09S')) {
      const { id } = await findRetrieve(ctx, given, false)
      states.push({ done: true, id, state: 'Completed' })
      continue
    }
    const { id, completedAt, status } = await findDeploy(ctx, given)
    const ended = status === 'Failed' || status === 'Canceled' ? 'Error' : 'Completed'
    states.push({ done: completedAt !== null, id, state: completedAt === null ? 'InProgress' : ended })
  }
  return states
}
