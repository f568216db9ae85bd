import { ApiError } from '../../base/api-error.ts'
import { runInSlices } from '../../base/run-in-slices.ts'
import { loadFiles } from '../../definitions/files/load-files.ts'
import { isTypeName } from '../../exporters/components/component-types.ts'
import { readComponents } from '../../exporters/metadata-format/read-components.ts'
import type { XmlContent } from '../../xml/write-xml.ts'
import type { CallMetadata } from './call-metadata.ts'
import { readElement } from './read-element.ts'

/** Of one call. */
const MAX_NAMES = 10

/** Reads some components of a type; what is not there is null. (docs/reference/api/deployments.md#retrieve) */
export const readMetadata: CallMetadata = async (ctx, request) => {
  const call = readElement(request, request.operation)
  const [type, names] = [call.text('type') ?? '', call.texts('fullNames')]
  if (!isTypeName(type)) throw new ApiError('INVALID_TYPE', `Unknown type: ${type.slice(0, 255)}`)
  if (names.length > MAX_NAMES)
    throw new ApiError('LIMIT_EXCEEDED', `A call reads at most ${MAX_NAMES} components.`)
  const definitions = await loadFiles(ctx.db, ctx.org, ctx.schema, ctx.deadline())
  const found = await runInSlices(() => readComponents(definitions, type, names), ctx.deadline())
  return { records: found.map((element) => (element ?? null) as XmlContent) }
}
