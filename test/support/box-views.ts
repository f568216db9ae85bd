import assert from 'node:assert/strict'
import { fetchSteps } from './deploying.ts'
import { openOrg, type TestOrg } from './org.ts'
import { addPerson, allow, allowField, type Person } from './people.ts'

const BOX = {
  labelPlural: 'Boxes',
  fields: {
    Size__c: { type: 'picklist', values: ['S', 'M', 'L'] },
    Count__c: { type: 'int' },
    Note__c: { type: 'longtextarea' },
    Text__c: { type: 'longtextarea' },
    Account__c: { type: 'reference', to: 'Account' },
  },
  listViews: {
    Big: {
      label: 'Big boxes',
      columns: ['name', 'SIZE__c', 'account__r.name', 'Count__c', 'Owner.Name'],
      where: "Size__c IN ('M', 'L') AND (NOT Count__c = null)",
      orderBy: 'Count__c DESC NULLS LAST, Name',
    },
    Mine: { scope: 'mine', where: 'CreatedDate = LAST_N_DAYS:7' },
    Long: { columns: ['Name', 'Note__c', 'Text__c'] },
    Plain: null,
  },
} as const

// biome-ignore lint/suspicious/noExplicitAny: bodies of every shape
export type Body = any

/** An org with boxes, views of them, and somebody who may see some of both. */
export interface BoxViews {
  readonly o: TestOrg
  readonly clerk: Person
  /** The body of an answer below the list views of boxes. */
  get(rest: string, caller?: Pick<TestOrg, 'call'>): Promise<Body>
}

export const boxViews = (rest = '') => `/sobjects/Box__c/listviews${rest}`

export async function openBoxViews(): Promise<BoxViews> {
  const o = await openOrg()
  await fetchSteps(o, { Box__c: BOX as never })
  const account = await o.create('Account', { Name: 'Acme' })
  for (const [at, Size__c] of ['S', 'M', 'L', 'L'].entries()) {
    const Account__c = at === 3 ? account : null
    await o.create('Box__c', { Name: `Box ${at}`, Size__c, Count__c: at === 1 ? null : at, Account__c })
  }
  const clerk = await addPerson(o, 'clerk')
  await allow(o, clerk.setId, 'Box__c', 'Read', 'Create')
  await allowField(o, clerk.setId, 'Box__c.Size__c')
  return {
    o,
    clerk,
    async get(rest, caller = o) {
      const { status, body, text } = await caller.call('GET', boxViews(rest))
      assert.equal(status, 200, text)
      return body
    },
  }
}

/** The columns that people see. */
export const pathsOf = (body: Body) =>
  body.columns.filter((column: Body) => !column.hidden).map((column: Body) => column.fieldNameOrPath)
