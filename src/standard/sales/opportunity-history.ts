import type { ObjectDefinition } from '../../schema/definitions/definition.ts'
import type { FieldDefinition } from '../../schema/fields/field-definition.ts'
import type { KeptStates } from '../behaviour/behaviour.ts'
import { notWritable } from '../behaviour/not-writable.ts'

const amount = (name: string, label: string): FieldDefinition => ({
  name,
  label,
  type: 'currency',
  precision: 18,
  scale: 2,
  ...notWritable,
})

const picklist = (name: string, label: string): FieldDefinition => ({
  name,
  label,
  type: 'picklist',
  length: 255,
  values: [],
  ...notWritable,
})

/** States of an opportunity at each step: its changes field by field are in `OpportunityFieldHistory`. */
export const OPPORTUNITY_HISTORY: ObjectDefinition = {
  name: 'OpportunityHistory',
  label: 'Opportunity: Stage History',
  labelPlural: 'Opportunity: Stage History',
  keyPrefix: '008',
  historyOf: 'Opportunity',
  ownerless: true,
  createable: false,
  updateable: false,
  deletable: false,
  searchable: false,
  fields: [
    {
      name: 'OpportunityId',
      label: 'Opportunity ID',
      type: 'reference',
      to: ['Opportunity'],
      relationship: 'Opportunity',
      children: 'OpportunityHistories',
      masterDetail: 0,
      ...notWritable,
    },
    picklist('StageName', 'To StageName'),
    amount('Amount', 'Amount'),
    amount('ExpectedRevenue', 'Expected Revenue'),
    { name: 'CloseDate', label: 'Close Date', type: 'date', ...notWritable },
    {
      name: 'Probability',
      label: 'Probability',
      type: 'percent',
      precision: 3,
      scale: 0,
      ...notWritable,
    },
    picklist('ForecastCategory', 'To ForecastCategory'),
    amount('PrevAmount', 'Previous Amount'),
    { name: 'PrevCloseDate', label: 'Previous Close Date', type: 'date', ...notWritable },
  ],
}

/** (docs/reference/api/history.md#opportunities) */
export const OPPORTUNITY_STATES: KeptStates = {
  object: OPPORTUNITY_HISTORY.name,
  reference: 'OpportunityId',
  when: ['Amount', 'Probability', 'StageName', 'CloseDate'],
  more: ['ExpectedRevenue', 'ForecastCategory'],
  previous: { PrevAmount: 'Amount', PrevCloseDate: 'CloseDate' },
}

/** The last record of the history in which the field is another one than before. */
export const lastChangeOf = (name: string, label: string, field: string): FieldDefinition => ({
  name,
  label,
  type: 'reference',
  to: [OPPORTUNITY_HISTORY.name],
  relationship: name.replace(/Id$/, ''),
  lastChange: { object: OPPORTUNITY_HISTORY.name, reference: 'OpportunityId', field },
  ...notWritable,
})
