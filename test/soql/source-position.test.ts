import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { addPosition, findSourcePosition } from '../../src/soql/parse/source-position.ts'

describe('a place in a query', () => {
  test('an offset has its row and column, from 1', () => {
    assert.deepEqual(findSourcePosition('SELECT Foo', 7), { row: 1, column: 8 })
    assert.deepEqual(findSourcePosition('a\nb\r\nc\rd', 7), { row: 4, column: 1 })
    assert.deepEqual(findSourcePosition('a\r\nb', 2), { row: 1, column: 3 })
    assert.deepEqual(findSourcePosition('ab', 2), { row: 1, column: 3 })
  })

  test('a positioned message has two words on either side and the caret under the token', () => {
    const lines = (text: string, token: string) => addPosition(text, text.indexOf(token), 'why').split('\n')
    assert.deepEqual(lines('SELECT a, bb, Foo, c,d FROM X', 'Foo'), [
      '',
      'a, bb, Foo, c,d',
      '       ^',
      'ERROR at Row:1:Column:15',
      'why',
    ])
    assert.deepEqual(lines('SELECT Id FROM Nope__c', 'Nope'), [
      '',
      'Id FROM Nope__c',
      '        ^',
      'ERROR at Row:1:Column:16',
      'why',
    ])
    assert.deepEqual(lines('SELECT Id\n FROM X ', 'X').slice(1, 4), [
      'FROM X',
      '     ^',
      'ERROR at Row:2:Column:7',
    ])
    assert.ok(addPosition('a'.repeat(99_999), 50_000, 'why').length < 1000)
  })
})
