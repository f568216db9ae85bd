/** The metadata type whose records are the labels of an org, and its field with their texts. (docs/reference/formulas.md#the-language) */
export const LABELS = { type: 'Label__mdt', field: 'Text__c' } as const
