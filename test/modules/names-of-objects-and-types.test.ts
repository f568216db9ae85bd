import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { FIELD_TYPES } from '../../src/schema/fields/registry.ts'
import { STANDARD_OBJECTS } from '../../src/standard/standard-objects.ts'

const withoutComments = (text: string) => text.replaceAll(/\/\*[\s\S]*?\*\/|(?<!:)\/\/.*$/gm, '')

/** The lines of source files that a pattern matches, comments left out. */
function findLines(files: string, pattern: RegExp, exempt: (path: string) => boolean = () => false) {
  const paths = globSync(files).filter((path) => !exempt(path))
  assert.ok(paths.length > 20)
  return paths.flatMap((path) =>
    withoutComments(readFileSync(path, 'utf8'))
      .split('\n')
      .filter((line) => pattern.test(line))
      .map((line) => `${path}: ${line.trim()}`),
  )
}

const quoted = (names: readonly string[]) => `(?:['"\`](?:${names.join('|')})['"\`])`

test('the write path knows no standard object by name, nor by the name of its table', () => {
  const names = STANDARD_OBJECTS.flatMap(({ name }) => [name, name.toLowerCase()])
  assert.deepEqual(findLines('src/records/**/*.ts', new RegExp(quoted(names))), [])
})

/** Where the names of field types may be asked for: among the types. The types of formulas are others. */
const mayNameTypes = (path: string) =>
  ['src/schema/fields/', 'src/formulas/'].some((folder) => path.startsWith(folder))

test('the name of a field type is shown and never compared: a type says what it can do', () => {
  const name = quoted(Object.keys(FIELD_TYPES))
  const type = '(?<!typeof [\\w.?]*)\\b(?:type|type\\??\\.name|typeName)'
  const comparisons = [
    `${type}\\s*[!=]==\\s*${name}`,
    `${name}\\s*[!=]==\\s*[\\w.?!]*\\btype\\b`,
    // Outside of messages.
    `(?<!\\$\\{[\\w.]*)\\.type\\??\\.name\\b`,
    // A list or table of types, asked for the type of a field.
    `\\b(?:includes|has|get)\\([\\w.?!]+\\.type(?:\\??\\.name)?!?\\)`,
  ]
  const found = findLines('src/**/*.ts', new RegExp(comparisons.join('|')), mayNameTypes)
  assert.deepEqual(found, [])
})

/** Words that are also kinds of literals, parameters, steps or notes, so that a line alone does not say what they are. */
const ALSO_OTHER_WORDS = [
  ...['string', 'boolean', 'int', 'double', 'currency', 'percent', 'date', 'datetime', 'time', 'id'],
  ...[
    'email',
    'phone',
    'url',
    'reference',
    'address',
    'location',
    'base64',
    'autonumber',
    'picklist',
    'json',
  ],
]

test('the name of a field type stands where a field is defined, and nowhere else', () => {
  const names = Object.keys(FIELD_TYPES).filter((name) => !ALSO_OTHER_WORDS.includes(name))
  const asked = [
    `(?<!\\btype: )${quoted(names)}`,
    // An entry of a table.
    `^\\s*(?:${names.join('|')}):`,
    '\\bRecord<FieldTypeName\\b',
    // A type that is asked for by its name: only that of fields whose type nothing says.
    '\\bFIELD_TYPES\\.(?!string\\b)\\w',
  ]
  const found = findLines(
    'src/**/*.ts',
    new RegExp(asked.join('|')),
    (path) => mayNameTypes(path) || path.startsWith('src/standard/'),
  )
  assert.deepEqual(found, [])
})
