import { ApiError } from '../../base/api-error.ts'
import type { ObjectDefinition } from '../../schema/definitions/definition.ts'
import type { FieldDefinition } from '../../schema/fields/field-definition.ts'
import type { ObjectBehaviour } from '../behaviour/behaviour.ts'
import { notWritable } from '../behaviour/not-writable.ts'
import { ACTIVITY_TARGETS } from '../values/targets.ts'
import { longText } from '../views/view-object.ts'

/** Addresses separated by semicolons. */
const addresses = (name: string, label: string): FieldDefinition => ({
  name,
  label,
  type: 'string',
  length: 4000,
})

/** An e-mail that was sent or received. Who sees its case, or the record it is about, sees it. */
export const EMAIL_MESSAGE: ObjectDefinition = {
  name: 'EmailMessage',
  label: 'Email Message',
  labelPlural: 'Email Messages',
  keyPrefix: '02s',
  ownerless: true,
  fields: [
    {
      name: 'ParentId',
      label: 'Case ID',
      type: 'reference',
      to: ['Case'],
      relationship: 'Parent',
      children: 'EmailMessages',
      onDelete: 'cascade',
      updateable: false,
    },
    {
      name: 'ActivityId',
      label: 'Activity ID',
      type: 'reference',
      to: ['Task'],
      relationship: 'Activity',
      updateable: false,
    },
    longText('TextBody', 'Text Body'),
    longText('HtmlBody', 'HTML Body'),
    longText('Headers', 'Headers'),
    { name: 'Subject', label: 'Subject', type: 'string', length: 3000, nameField: true },
    { name: 'FromName', label: 'From Name', type: 'string', length: 1000 },
    { name: 'FromAddress', label: 'From Address', type: 'email', length: 1000 },
    addresses('ToAddress', 'To Address'),
    addresses('CcAddress', 'CC Address'),
    addresses('BccAddress', 'BCC Address'),
    { name: 'Incoming', label: 'Is Incoming', type: 'boolean' },
    {
      name: 'HasAttachment',
      label: 'Has Attachment',
      type: 'boolean',
      shows: 'attachment',
      ...notWritable,
    },
    {
      name: 'Status',
      label: 'Status',
      type: 'picklist',
      length: 40,
      required: true,
      values: [
        { value: '0', label: 'New', default: true },
        { value: '1', label: 'Read' },
        { value: '2', label: 'Replied' },
        { value: '3', label: 'Sent' },
        { value: '4', label: 'Forwarded' },
        { value: '5', label: 'Draft' },
      ],
      restricted: true,
    },
    { name: 'MessageDate', label: 'Message Date', type: 'datetime' },
    {
      name: 'ReplyToEmailMessageId',
      label: 'Email Message ID',
      type: 'reference',
      to: ['EmailMessage'],
      relationship: 'ReplyToEmailMessage',
      updateable: false,
    },
    { name: 'IsExternallyVisible', label: 'Is Externally Visible', type: 'boolean' },
    { name: 'MessageIdentifier', label: 'Message ID', type: 'string', length: 765 },
    { name: 'ThreadIdentifier', label: 'Thread ID', type: 'string', length: 765 },
    { name: 'IsClientManaged', label: 'Is Client Managed', type: 'boolean' },
    {
      name: 'RelatedToId',
      label: 'Related To ID',
      type: 'reference',
      to: ACTIVITY_TARGETS,
      toCustom: 'activities',
      relationship: 'RelatedTo',
      children: 'Emails',
      onDelete: 'cascade',
    },
  ],
}

const DRAFT = '5'

/** Fields that stay changeable when an e-mail is no draft any more, beside custom fields. */
const FLAGS = ['IsExternallyVisible', 'IsClientManaged', 'Status']

const LOCKED = EMAIL_MESSAGE.fields.flatMap(({ name, createable, updateable }) =>
  createable === false || updateable === false || FLAGS.includes(name) ? [] : [name],
)

/** (docs/reference/api/standard-objects.md#e-mail) */
export const EMAIL_MESSAGE_BEHAVIOUR: ObjectBehaviour = {
  derivation: {
    from: [...LOCKED, 'Status'],
    derive(record) {
      if (record.isNew || record.facts.isRecomputed || record.was('Status') === DRAFT) return
      const changed = LOCKED.filter((name) => record.isChanged(name))
      const fields = record.get('Status') === DRAFT ? [...changed, 'Status'] : changed
      if (fields.length === 0) return
      throw new ApiError(
        'INSUFFICIENT_ACCESS_OR_READONLY',
        `Only drafts of e-mails can be changed: ${fields.join(', ')}`,
        { fields },
      )
    },
  },
}
