import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import { test } from 'node:test'
import { readSource, splitIdentifier, type Text } from '../support/source-words.ts'

const ROOT = resolve(import.meta.dirname, '../..')

const find = (...patterns: string[]) =>
  patterns
    .flatMap((pattern) => globSync(pattern, { cwd: ROOT, exclude: (name) => name === 'node_modules' }))
    .sort()

const read = (file: string) => readFileSync(join(ROOT, file), 'utf8')

/** Words that this code base used for its own pictures, with the word of the field. */
const IN_IDENTIFIERS: Readonly<Record<string, string>> = {
  house: 'architecture, or the services that are needed',
  rooms: 'modules',
  door: 'endpoint, listener or API',
  visit: 'request context',
  stamp: 'audit fields or timestamp',
  standing: 'memberships',
  trade: 'job handler',
  logbook: 'job store',
  'log book': 'job store',
  culprit: 'failed row or index',
  patiently: 'retry',
  anew: 'again, or rebuild',
  suffer: 'fails',
  rehearse: 'inject a fault',
  rehearsed: 'injected',
  rehearsal: 'fault injection',
  'family schema': 'fixture',
  'shut out': 'revoked',
}

const NO_PRONOUN = 'the user, the client, they'

const IN_PROSE: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    [
      'logbook',
      'log book',
      'culprit',
      'patiently',
      'anew',
      'suffer',
      'rehearse',
      'rehearsed',
      'rehearsal',
    ].map((word) => [word, IN_IDENTIFIERS[word]!]),
  ),
  rehearses: 'injects',
  rehearsals: 'fault injection',
  suffers: 'fails',
  door: IN_IDENTIFIERS.door!,
  doors: IN_IDENTIFIERS.door!,
  house: IN_IDENTIFIERS.house!,
  stamp: IN_IDENTIFIERS.stamp!,
  stamps: IN_IDENTIFIERS.stamp!,
  he: NO_PRONOUN,
  him: NO_PRONOUN,
  his: NO_PRONOUN,
  himself: NO_PRONOUN,
  she: NO_PRONOUN,
  her: NO_PRONOUN,
  herself: NO_PRONOUN,
}

/** Names of sample objects, which the file that has them may use. */
function findAllowed(text: string): ReadonlySet<string> {
  const samples = ['House', 'Room', 'Door', 'Visit'].filter((name) =>
    new RegExp(`\\b${name}(?:__|s__)`).test(text),
  )
  return new Set(samples.flatMap((name) => [name.toLowerCase(), `${name.toLowerCase()}s`]))
}

/** The function that goes through a tree is called `visit` everywhere. */
const isTraversal = (identifier: string) => identifier === 'visit'

function findIn(
  words: readonly string[],
  forbidden: Readonly<Record<string, string>>,
  allowed: ReadonlySet<string>,
): string[] {
  const pairs = words.map((word, index) => `${word} ${words[index + 1] ?? ''}`)
  return [...words, ...pairs].filter((word) => Object.hasOwn(forbidden, word) && !allowed.has(word))
}

/** The plural counts as the word. */
const singular = (word: string) => (Object.hasOwn(IN_IDENTIFIERS, word) ? word : word.replace(/s$/, ''))

const splitProse = (text: string) => text.toLowerCase().match(/[\p{L}\p{N}]+(?:'\p{L}+)?/gu) ?? []

const message = (file: string, line: number, word: string, forbidden: Readonly<Record<string, string>>) =>
  `${file}:${line} ${word} (${forbidden[word]})`

function checkProse(file: string, texts: readonly Text[], allowed: ReadonlySet<string>): string[] {
  return texts.flatMap(({ text, line }) =>
    text
      .split('\n')
      .flatMap((part, index) =>
        findIn(splitProse(part), IN_PROSE, allowed).map((word) =>
          message(file, line + index, word, IN_PROSE),
        ),
      ),
  )
}

function checkSource(file: string, text: string): string[] {
  const allowed = findAllowed(text)
  const { identifiers, comments, testNames } = readSource(text)
  return [
    ...identifiers
      .filter(({ text: identifier }) => !isTraversal(identifier))
      .flatMap(({ text: identifier, line }) =>
        findIn(splitIdentifier(identifier).map(singular), IN_IDENTIFIERS, allowed).map((word) =>
          message(file, line, `${word} in ${identifier}`, {
            [`${word} in ${identifier}`]: IN_IDENTIFIERS[word]!,
          }),
        ),
      ),
    ...checkProse(file, [...comments, ...testNames], allowed),
  ]
}

/** Prose: without code, addresses of links, and files. */
function checkPage(file: string, text: string): string[] {
  let fenced = false
  return text.split('\n').flatMap((line, index) => {
    if (/^\s*```/.test(line)) fenced = !fenced
    if (fenced) return []
    const prose = line.replace(/`[^`]*`/g, ' ').replace(/\]\([^)]*\)/g, '] ')
    return checkProse(file, [{ text: prose, line: index + 1 }], new Set())
  })
}

const SOURCES = find(
  'src/**/*.ts',
  'scripts/**/*.ts',
  'bench/**/*.ts',
  'test/**/*.ts',
  'examples/**/*.ts',
).filter((file) => file !== relative(ROOT, import.meta.filename))
const PAGES = find('*.md', 'docs/**/*.md', 'src/**/*.md', 'examples/**/*.md').filter(
  (file) => file !== 'CHANGELOG.md',
)

for (const [folder, files] of Map.groupBy(SOURCES, (file) => file.split('/')[0]!)) {
  test(`identifiers, comments and test names of ${folder}/ are words of the field`, () => {
    const found = files.flatMap((file) => checkSource(file, read(file)))
    assert.ok(found.length === 0, `${found.length} private words\n${found.join('\n')}`)
  })
}

test('the documentation uses the words of the field, and no gendered pronoun', () => {
  const found = PAGES.flatMap((file) => checkPage(file, read(file)))
  assert.ok(found.length === 0, `${found.length} private words\n${found.join('\n')}`)
})

test('names of files are words of the field', () => {
  const found = [...SOURCES, ...PAGES].filter(
    (file) => findIn(splitIdentifier(file).map(singular), IN_IDENTIFIERS, new Set()).length > 0,
  )
  assert.deepEqual(found, [])
})

test('the check finds private words in identifiers, comments and test names, and nowhere else', () => {
  const source = `visit(tree)
/* He is told. */
const allDoors = \`the door \${MOST_ROOMS + { a: houseOf('house') }.a} a door\` // anew
const pattern = /door's (\\/)/.test('it is a door') ? 4 / stamps / 2 : 'his'
test('who may see her records', () => {})
test(\`of \${sheds} doors\`, () => {})
`
  assert.deepEqual(
    checkSource('a.ts', source).map((line) => line.replace(/ \([^)]*\)$/, '')),
    [
      'a.ts:3 door in allDoors',
      'a.ts:3 rooms in MOST_ROOMS',
      'a.ts:3 house in houseOf',
      'a.ts:4 stamp in stamps',
      'a.ts:2 he',
      'a.ts:3 anew',
      'a.ts:5 her',
    ],
  )
  assert.deepEqual(checkSource('b.ts', "create('Door__c')\nconst door = patientlyIn(logBook)").length, 2)
  assert.deepEqual(checkPage('c.md', 'A `door`, [his](door.md)\n```\nanew\n```\nTimestamps'), [
    'c.md:1 his (the user, the client, they)',
  ])
})
