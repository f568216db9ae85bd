import type { Objects } from '../../support/deploying.ts'

const KEY = { type: 'string', length: 60, externalId: true, unique: true } as const

/** The objects that the load writes to. */
export const LOAD_SCHEMA: Objects = {
  Load__c: { fields: { Key__c: KEY, Count__c: { type: 'int' } } },
  Part__c: { fields: { Key__c: KEY, Text__c: { type: 'string', length: 255 } } },
}
