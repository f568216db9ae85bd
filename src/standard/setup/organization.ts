import type { ObjectDefinition } from '../../schema/definitions/definition.ts'
import { outOfRange } from '../../schema/fields/number.ts'
import type { ObjectBehaviour } from '../behaviour/behaviour.ts'
import { notWritable } from '../behaviour/not-writable.ts'
import { LANGUAGE_VALUES } from '../values/language-values.ts'
import { LOCALE_VALUES } from '../values/locale-values.ts'
import { TIME_ZONE_VALUES } from '../values/time-zone-values.ts'

const FISCAL_START = 'FiscalYearStartMonth'

export const ORGANIZATION: ObjectDefinition = {
  name: 'Organization',
  label: 'Organization',
  labelPlural: 'Organizations',
  keyPrefix: '00D',
  ownerless: true,
  createable: false,
  deletable: false,
  searchable: false,
  fields: [
    { name: 'Name', label: 'Name', type: 'string', length: 80, required: true, nameField: true },
    { name: 'Division', label: 'Division', type: 'string', length: 80 },
    { name: 'Address', label: 'Address', type: 'address' },
    { name: 'Phone', label: 'Phone', type: 'phone', length: 40 },
    { name: 'Fax', label: 'Fax', type: 'phone', length: 40 },
    { name: 'PrimaryContact', label: 'Primary Contact', type: 'string', length: 80 },
    {
      name: 'DefaultLocaleSidKey',
      label: 'Locale',
      type: 'picklist',
      length: 40,
      required: true,
      values: LOCALE_VALUES,
      restricted: true,
    },
    {
      name: 'TimeZoneSidKey',
      label: 'Time Zone',
      type: 'picklist',
      length: 40,
      required: true,
      values: TIME_ZONE_VALUES,
      restricted: true,
    },
    {
      name: 'LanguageLocaleKey',
      label: 'Language',
      type: 'picklist',
      length: 40,
      required: true,
      values: LANGUAGE_VALUES,
      restricted: true,
    },
    { name: 'ReceivesInfoEmails', label: 'Info Emails', type: 'boolean' },
    { name: 'ReceivesAdminInfoEmails', label: 'Info Emails Admin', type: 'boolean' },
    { name: FISCAL_START, label: 'Fiscal Year Starts In', type: 'int', default: 1, createable: false },
    {
      name: 'UsesStartDateAsFiscalYearName',
      label: 'Fiscal Year Name by Start',
      type: 'boolean',
      ...notWritable,
    },
    { name: 'SignupCountryIsoCode', label: 'Signup Country', type: 'string', length: 2, ...notWritable },
    { name: 'TrialExpirationDate', label: 'Trial Expiration Date', type: 'datetime', ...notWritable },
    {
      name: 'OrganizationType',
      label: 'Edition',
      type: 'picklist',
      length: 40,
      values: [
        'Team Edition',
        'Professional Edition',
        'Enterprise Edition',
        'Developer Edition',
        'Personal Edition',
        'Unlimited Edition',
        'Contact Manager Edition',
        'Base Edition',
      ],
      ...notWritable,
    },
    { name: 'NamespacePrefix', label: 'Namespace Prefix', type: 'string', length: 15, ...notWritable },
    { name: 'InstanceName', label: 'Instance Name', type: 'string', length: 40, ...notWritable },
    { name: 'IsSandbox', label: 'Is Sandbox', type: 'boolean', ...notWritable },
    { name: 'IsReadOnly', label: 'Is Read Only', type: 'boolean', ...notWritable },
  ],
}

export const ORGANIZATION_BEHAVIOUR: ObjectBehaviour = {
  completeUpdate(values, object) {
    const field = object.field(FISCAL_START)!
    const month = values.get(field)
    if (month !== undefined && !(Number(month) >= 1 && Number(month) <= 12)) throw outOfRange(field, month)
  },
}
