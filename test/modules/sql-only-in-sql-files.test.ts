import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { test } from 'node:test'

/** Where SQL may be written: its own files, and the field types, which know their columns. */
const isSqlFile = (path: string) => path.endsWith('.sql.ts') || path.startsWith('src/schema/fields/')

/** The tag itself is defined here. */
const TAG = 'src/base/sql.ts'

const withoutComments = (text: string) => text.replaceAll(/\/\*[\s\S]*?\*\/|(?<!:)\/\/.*$/gm, '')

/** How statements begin; they are written in lower case. */
const BEGINNINGS = [
  'select\\s',
  'insert\\s+into\\s',
  'update\\s+\\S+\\s+set\\s',
  'delete\\s+from\\s',
  'with\\s+\\S+\\s+as\\s',
  '(?:create|alter|drop)\\s+(?:table|schema|sequence|index|unique|type|function)\\s',
  '(?:begin|commit|rollback)[\'"`; ]',
  '(?:savepoint|release|truncate)\\s',
]

/** A text constant that begins like a statement. */
const STATEMENT = new RegExp(`['"\`]\\s*(?:${BEGINNINGS.join('|')})`)

function statementsIn(text: string): string[] {
  return withoutComments(text)
    .split('\n')
    .filter((line) => /\bsql`/.test(line) || STATEMENT.test(line))
    .map((line) => line.trim())
}

test('statements are written in *.sql.ts files and in the field types only', () => {
  const found = globSync('src/**/*.ts')
    .filter((path) => !isSqlFile(path) && path !== TAG)
    .flatMap((path) => statementsIn(readFileSync(path, 'utf8')).map((line) => `${path}: ${line}`))
  assert.deepEqual(found, [])
})

test('the check sees a tagged text and a bare one, and no words of other languages', () => {
  assert.equal(statementsIn('await db.query(sql`select 1`)').length, 1)
  assert.equal(statementsIn("client.query('rollback')").length, 1)
  assert.equal(statementsIn("client.query('update account set name = 1')").length, 1)
  assert.equal(statementsIn("throw new Error('update refused: select a record')").length, 0)
  assert.equal(statementsIn('/** sql`select 1` */').length, 0)
})
