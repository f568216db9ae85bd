import type { ObjectDefinition } from '../../schema/definitions/definition.ts'
import type { ObjectBehaviour } from '../behaviour/behaviour.ts'
import { caseCommentSql } from './case-comments.sql.ts'

export const CASE_COMMENT: ObjectDefinition = {
  name: 'CaseComment',
  label: 'Case Comment',
  labelPlural: 'Case Comments',
  keyPrefix: '00a',
  ownerless: true,
  searchable: false,
  fields: [
    {
      name: 'ParentId',
      label: 'Parent ID',
      type: 'reference',
      to: ['Case'],
      relationship: 'Parent',
      children: 'CaseComments',
      onDelete: 'cascade',
      required: true,
      updateable: false,
    },
    { name: 'IsPublished', label: 'Published', type: 'boolean' },
    { name: 'CommentBody', label: 'Body', type: 'longtextarea', length: 4000 },
  ],
}

const touchCases: NonNullable<ObjectBehaviour['afterChange']> = async ({ db, org, audit }, ids) =>
  void (await db.query(caseCommentSql.touchCases(org, ids, audit)))

/** (docs/reference/api/standard-objects.md#case) */
export const CASE_COMMENT_BEHAVIOUR: ObjectBehaviour = {
  afterInsert: (write, records) =>
    touchCases(
      write,
      records.map(({ id }) => id),
    ),
  afterChange: touchCases,
}
