import type { ObjectDefinition } from '../../schema/definitions/definition.ts'

export const GROUP_MEMBER: ObjectDefinition = {
  name: 'GroupMember',
  label: 'Group Member',
  labelPlural: 'Group Members',
  keyPrefix: '011',
  ownerless: true,
  searchable: false,
  fields: [
    {
      name: 'GroupId',
      label: 'Group ID',
      type: 'reference',
      to: ['Group'],
      relationship: 'Group',
      children: 'GroupMembers',
      onDelete: 'cascade',
      required: true,
      updateable: false,
    },
    {
      name: 'UserOrGroupId',
      label: 'User/Group ID',
      type: 'reference',
      to: ['Group', 'User'],
      relationship: 'UserOrGroup',
      onDelete: 'cascade',
      required: true,
      updateable: false,
    },
  ],
}
