import { ApiError } from '../../base/api-error.ts'
import { runInSlices } from '../../base/run-in-slices.ts'
import { loadFiles } from '../../definitions/files/load-files.ts'
import { COMPONENT_TYPES } from '../../exporters/components/component-types.ts'
import { exportMetadataFormat } from '../../exporters/metadata-format/export-metadata-format.ts'
import { makeProperties } from '../../metadata/retrieve/file-properties.ts'
import type { CallMetadata } from './call-metadata.ts'
import { readElement } from './read-element.ts'

/** Of one call. */
const MAX_QUERIES = 3

/** A type that is deployed but not retrieved: its values stand in the files of objects. */
const STANDARD_VALUE_SET = { folder: 'standardValueSets', suffix: 'standardValueSet', children: {} }

/** Tells which types there are. (docs/reference/api/deployments.md#types) */
export const describeTypes: CallMetadata = async () => ({
  metadataObjects: Object.entries({ ...COMPONENT_TYPES, StandardValueSet: STANDARD_VALUE_SET }).map(
    ([xmlName, { folder, suffix, children }]) => ({
      childXmlNames: Object.keys(children),
      directoryName: folder,
      inFolder: false,
      metaFile: false,
      suffix,
      xmlName,
    }),
  ),
  organizationNamespace: '',
  partialSaveAllowed: true,
  testRequired: false,
})

/** Lists the components of some types. */
export const listComponents: CallMetadata = async (ctx, request) => {
  const queries = readElement(request, request.operation).children('queries')
  if (queries.length > MAX_QUERIES)
    throw new ApiError('LIMIT_EXCEEDED', `A call has at most ${MAX_QUERIES} queries.`)
  const types = queries.map((query) => query.text('type') ?? '')
  const definitions = await loadFiles(ctx.db, ctx.org, ctx.schema, ctx.deadline())
  const { files } = await runInSlices(() => exportMetadataFormat(definitions), ctx.deadline())
  const named = files.flatMap(({ type, fullName, path, children }) => [
    { type, fullName, path },
    ...children.map((child) => ({ ...child, path })),
  ])
  return named
    .filter(({ type }) => types.includes(type))
    .map(({ type, fullName, path }) => makeProperties(ctx, { type, fullName, path }))
}
