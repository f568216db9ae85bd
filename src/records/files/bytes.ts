import { notFound } from '../../base/api-error.ts'
import type { Context } from '../../context.ts'
import type { Field } from '../../schema/fields/field.ts'
import type { ObjectType } from '../../schema/objects/object-type.ts'
import { findBehaviour } from '../../standard/behaviours.ts'
import { getContentType } from '../../standard/files/file-types.ts'
import { PIECE_BYTES } from '../../storage/pass-bytes.ts'
import { rowsFor } from '../read/row-access.ts'
import { bytesOfSql } from './bytes.sql.ts'

/** The bytes of a record's field. */
interface StoredBytes {
  readonly length: number
  readonly contentType: string
  /** Changes with every change of the record. */
  readonly tag: string
  /** Reads the bytes piece by piece; throws when the record is changed meanwhile. */
  readonly pieces: () => AsyncIterable<Uint8Array>
}

/**
 * The bytes of a live record that the caller can read. (docs/reference/api/records.md#files)
 * @throws ApiError NOT_FOUND: the record does not exist, or has no bytes
 */
export async function readBytes(
  ctx: Context,
  object: ObjectType,
  id: string,
  field: Field,
): Promise<StoredBytes> {
  const { org, db } = ctx
  const named = findBehaviour(object)?.mediaTypeField
  const kind = named === undefined ? undefined : object.field(named)
  const rule = rowsFor(ctx, object, 'read')
  const [row] = await db.query<{ length: number | null; tag: string; kind: string | null }>(
    bytesOfSql.find(org, object, id, field, kind, rule),
  )
  if (row?.length == null) throw notFound()
  const { length, tag } = row
  return {
    length,
    tag,
    contentType: getContentType(row.kind),
    async *pieces() {
      for (let from = 0; from < length; from += PIECE_BYTES) {
        const [found] = await db.rows(bytesOfSql.piece(org, object, id, field, tag, from, PIECE_BYTES))
        if (found === undefined) throw new Error('The record was changed while it was read')
        yield found[0] as Uint8Array
      }
    },
  }
}
