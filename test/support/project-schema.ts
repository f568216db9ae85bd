import type { ObjectDefinition } from '../../src/schema/definitions/definition.ts'

/** The custom objects that the query corpus assumes. */
export const PROJECT: ObjectDefinition = {
  name: 'Project__c',
  label: 'Project',
  labelPlural: 'Projects',
  keyPrefix: '',
  activities: true,
  fields: [
    { name: 'Name', label: 'Project Name', type: 'string', length: 80, nameField: true },
    {
      name: 'Account__c',
      label: 'Account',
      type: 'reference',
      to: ['Account'],
      relationship: 'Account__r',
      children: 'Projects__r',
    },
    {
      name: 'Lead_Contact__c',
      label: 'Lead Contact',
      type: 'reference',
      to: ['Contact'],
      relationship: 'Lead_Contact__r',
      children: 'Led_Projects__r',
    },
    { name: 'Budget__c', label: 'Budget', type: 'currency', precision: 18, scale: 2 },
    { name: 'Start_Date__c', label: 'Start Date', type: 'date' },
    { name: 'Kickoff__c', label: 'Kickoff', type: 'datetime' },
    {
      name: 'Status__c',
      label: 'Status',
      type: 'picklist',
      length: 255,
      values: ['Planned', 'Running', 'Done'],
    },
    {
      name: 'Tags__c',
      label: 'Tags',
      type: 'multipicklist',
      length: 4099,
      values: ['Red', 'Green', 'Blue'],
    },
    { name: 'Active__c', label: 'Active', type: 'boolean' },
    {
      name: 'External_Key__c',
      label: 'External Key',
      type: 'string',
      length: 255,
      externalId: true,
      unique: true,
    },
    {
      name: 'Serial__c',
      label: 'Serial',
      type: 'string',
      length: 255,
      unique: true,
      caseSensitive: true,
    },
    { name: 'Site__c', label: 'Site', type: 'location' },
    { name: 'Notes__c', label: 'Notes', type: 'longtextarea', length: 32768 },
    { name: 'Summary__c', label: 'Summary', type: 'richtextarea', length: 32768 },
    { name: 'Hours__c', label: 'Hours', type: 'double', precision: 18, scale: 2 },
    { name: 'Open_Time__c', label: 'Open Time', type: 'time' },
    { name: 'Website__c', label: 'Website', type: 'url', length: 255 },
  ],
}

export const MILESTONE: ObjectDefinition = {
  name: 'Milestone__c',
  label: 'Milestone',
  labelPlural: 'Milestones',
  keyPrefix: '',
  activities: true,
  ownerless: true,
  fields: [
    { name: 'Name', label: 'Milestone Name', type: 'string', length: 80, nameField: true },
    {
      name: 'Project__c',
      label: 'Project',
      type: 'reference',
      to: ['Project__c'],
      relationship: 'Project__r',
      children: 'Milestones__r',
      masterDetail: 0,
    },
    { name: 'Due__c', label: 'Due', type: 'date' },
    { name: 'Weight__c', label: 'Weight', type: 'percent', precision: 5, scale: 2 },
    { name: 'Done__c', label: 'Done', type: 'boolean' },
    {
      name: 'Owner_User__c',
      label: 'Owner User',
      type: 'reference',
      to: ['User'],
      relationship: 'Owner_User__r',
      children: 'Milestones__r',
    },
  ],
}

export const PROJECT_SCHEMA: readonly ObjectDefinition[] = [PROJECT, MILESTONE]

/** The history of accounts as the corpus asks for it: values of any type, which cannot be compared. */
export const ACCOUNT_HISTORY: ObjectDefinition = {
  name: 'AccountHistory',
  label: 'Account History',
  labelPlural: 'Account History',
  keyPrefix: '017',
  ownerless: true,
  fields: [
    { name: 'AccountId', label: 'Account ID', type: 'reference', to: ['Account'], relationship: 'Account' },
    { name: 'Field', label: 'Changed Field', type: 'string', length: 255 },
    { name: 'OldValue', label: 'Old Value', type: 'longtextarea', length: 32_000 },
    { name: 'NewValue', label: 'New Value', type: 'longtextarea', length: 32_000 },
  ],
}
