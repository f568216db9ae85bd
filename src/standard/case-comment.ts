import type { ObjectDefinition } from '../schema/definitions/definition.ts'

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
