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

/**
 * Where the names of field types may be asked for: among the types; in importers and exporters, which know the type that a
 * field has in another format; in the command line, which reads the types of a describe. The types of formulas are others.
 */
const mayNameTypes = (path: string) =>
  [
    'src/schema/fields/',
    'src/deployment/importers/',
    'src/deployment/exporters/',
    'src/cli/',
    'src/formulas/',
  ].some((folder) => path.startsWith(folder))

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
