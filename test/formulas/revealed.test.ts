import assert from 'node:assert/strict'
import { test } from 'node:test'
import { deploy, type Objects } from '../support/deploying.ts'
import { openOrg } from '../support/org.ts'

const OBJECTS: Objects = {
  Work__c: {
    fields: {
      Price__c: { type: 'currency' },
      Cost__c: { type: 'currency' },
      Margin__c: { type: 'currency', formula: 'Price__c - Cost__c' },
      Shown__c: { type: 'currency', formula: 'Margin__c * 2' },
    },
  },
}

test('a deployment warns of formula fields that show what a permission set hides', async () => {
  const o = await openOrg()
  const fields = { 'Work__c.Price__c': 'read', 'Work__c.Shown__c': 'read' } as const
  const permissionSets = {
    Selling: { objects: { Work__c: ['read' as const] }, fields },
    Counting: { objects: { Work__c: ['read' as const, 'viewAllFields' as const] }, fields: {} },
  }
  const warning =
    'Work__c.Shown__c shows Work__c.Cost__c, which the permission set Selling hides. Take the right to read Work__c.Shown__c away if that is not meant.'
  for (const planOnly of [true, false]) {
    const { body, text } = await deploy(o, OBJECTS, { permissionSets, planOnly })
    assert.deepEqual(body.warnings, [warning], text)
  }
  const open = { ...fields, 'Work__c.Cost__c': 'read' as const }
  const { body } = await deploy(o, OBJECTS, {
    permissionSets: { ...permissionSets, Selling: { ...permissionSets.Selling, fields: open } },
  })
  assert.equal(body.warnings, undefined)
})
