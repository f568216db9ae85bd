import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { findStatements, readGraphqlGolden } from './golden.ts'

describe('a document becomes the statements that its golden file shows; npm run golden regenerates them', () => {
  for (const { blocks } of readGraphqlGolden()) {
    for (const { query, sql } of blocks) {
      test(query, async () => assert.equal(await findStatements(query), sql))
    }
  }
})

test('there are golden documents', () => {
  const count = readGraphqlGolden().reduce((sum, { blocks }) => sum + blocks.length, 0)
  assert.ok(count >= 30, `${count} documents`)
})

test('no value of a document is part of the text of its SQL', async () => {
  const where =
    '{Name: {eq: "mark", like: "%mark%", in: ["mark"]}, Hours__c: {gt: 987654}, CreatedDate: {lt: {value: "2123-04-05T06:07:08Z"}}}'
  const sent = await findStatements(`{ uiapi { query { Project__c(where: ${where}) { totalCount } } } }`)
  const [statement] = sent.split('\n  $1 = ')
  assert.doesNotMatch(statement!, /mark|987654|2123/)
})
