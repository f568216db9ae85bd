import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { compileSql, readGoldenFiles, showsWholeResult } from './golden.ts'

describe('a query becomes the SQL that its golden file shows; node scripts/update-golden.ts regenerates them', () => {
  for (const { path, blocks } of readGoldenFiles()) {
    for (const { query, sql } of blocks) {
      test(query, () => assert.equal(compileSql(query, showsWholeResult(path)), sql))
    }
  }
})

test('there are golden queries', () => {
  const count = readGoldenFiles().reduce((sum, { blocks }) => sum + blocks.length, 0)
  assert.ok(count >= 80, `${count} queries`)
})

test('no value of a query is part of the text of its SQL', () => {
  const marks = ["'mark'", "'%mark%'", '987654', "'a0000000000mark'", '2123-04-05T06:07:08Z']
  const [text, pattern, number, id, timestamp] = marks
  const sql = compileSql(
    `SELECT Id FROM Project__c WHERE Name = ${text} AND Name LIKE ${pattern} AND Hours__c > ${number} AND Name IN (${text})
       AND Account__c = ${id} AND Kickoff__c < ${timestamp} LIMIT 987654`,
    false,
  )
  const [statement] = sql.split('\n  $1 = ')
  assert.doesNotMatch(statement!, /mark|987654|2123/)
})
