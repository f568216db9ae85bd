import { notFound } from '../../base/api-error.ts'
import { canonicalRecordId } from '../../base/record-id.ts'
import { runInSlices } from '../../base/run-in-slices.ts'
import type { Context } from '../../context.ts'
import { loadFiles } from '../../definitions/files/load-files.ts'
import { exportMetadataFormat } from '../../exporters/metadata-format/export-metadata-format.ts'
import { type TypeMembers, writeManifest } from '../../exporters/metadata-format/type-members.ts'
import { insertJob } from '../archive/insert-job.ts'
import { loadArchive } from '../archive/load-archive.ts'
import { writeArchive } from '../archive/write-archive.ts'
import { type FileProperties, makeProperties } from './file-properties.ts'
import { retrieveSql } from './retrieve.sql.ts'

/** Archives of an org that are kept until clients fetch them. */
const MAX_KEPT = 20

/** The content of a retrieved archive. */
export interface Retrieved {
  readonly files: readonly FileProperties[]
  /** A sentence for each member that was asked for and is not there. */
  readonly messages: readonly string[]
}

export interface RetrieveRequest {
  readonly wanted: readonly TypeMembers[]
  /** `64.0` */
  readonly version: string
  /** False: all files are in a folder `unpackaged`. */
  readonly isSingle: boolean
}

/** Makes an archive of components and keeps it. Returns its id. */
export async function createRetrieve(
  ctx: Context,
  { wanted, version, isSingle }: RetrieveRequest,
): Promise<string> {
  const { db, org, ids, clock, principal } = ctx
  const definitions = await loadFiles(db, org, ctx.schema, ctx.deadline())
  const exported = await runInSlices(() => exportMetadataFormat(definitions, wanted), ctx.deadline())
  const { files, members, messages } = exported
  const folder = isSingle ? '' : 'unpackaged/'
  const texts = files.map(({ path, text }) => [`${folder}${path}`, text] as const)
  const archive = await writeArchive([...texts, [`${folder}package.xml`, writeManifest(members, version)]])
  const properties = files.map((file) => makeProperties(ctx, { ...file, path: `${folder}${file.path}` }))
  const id = await ids.make('09S')
  const owner = { id, userId: principal.userId, userName: principal.username }
  const retrieved = { files: properties, messages }
  const now = clock().toISOString()
  await db.transaction(async (tx) => {
    await insertJob(tx, org, id, archive, (small) => retrieveSql.insert(org, owner, small, retrieved, now))
    await tx.query(retrieveSql.removeOld(org, MAX_KEPT))
  })
  return id
}

/**
 * Finds a retrieved archive.
 * @param withArchive its bytes are read too
 * @throws ApiError NOT_FOUND
 */
export async function findRetrieve(
  { db, org }: Context,
  idText: string,
  withArchive: boolean,
): Promise<Retrieved & { readonly id: string; readonly archive: Buffer | undefined }> {
  const id = canonicalRecordId(idText)
  const [row] = id === undefined ? [] : await db.query<{ outcome: Retrieved }>(retrieveSql.find(org, id))
  if (id === undefined || row === undefined) throw notFound()
  return { id, ...row.outcome, archive: withArchive ? await loadArchive(db, org, id) : undefined }
}
