import { ApiError } from '../../base/api-error.ts'
import type { ObjectDefinition } from '../../schema/definitions/definition.ts'
import type { ObjectBehaviour } from '../behaviour/behaviour.ts'
import { LAST_USE, notWritable } from '../behaviour/not-writable.ts'
import { pricebookSql } from './pricebooks.sql.ts'

export const PRICEBOOK2: ObjectDefinition = {
  name: 'Pricebook2',
  label: 'Price Book',
  labelPlural: 'Price Books',
  keyPrefix: '01s',
  ownerless: true,
  fields: [
    { name: 'Name', label: 'Price Book Name', type: 'string', length: 255, required: true, nameField: true },
    ...LAST_USE,
    { name: 'IsActive', label: 'Active', type: 'boolean' },
    { name: 'IsArchived', label: 'Archived', type: 'boolean', ...notWritable },
    { name: 'Description', label: 'Description', type: 'string', length: 255 },
    { name: 'IsStandard', label: 'Is Standard Price Book', type: 'boolean', ...notWritable },
  ],
}

/** (docs/reference/api/standard-objects.md#prices) */
export const PRICEBOOK2_BEHAVIOUR: ObjectBehaviour = {
  refuseDelete: async ({ db, org }, ids) => {
    const rows = await db.query<{ id: string }>(pricebookSql.standardAmong(org, ids))
    return new Map(
      rows.map(({ id }) => [id, new ApiError('DELETE_FAILED', 'The standard price book cannot be deleted')]),
    )
  },
}
