import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { ON_EMBEDDED } from '../support/engine.ts'
import { makeTemplate } from '../support/template.ts'
import { parsePage } from './read-page.ts'
import { runGuide } from './run-guide.ts'

const fence = (language: string, text: string, note = '') => `${note}\n\`\`\`${language}\n${text}\n\`\`\`\n`

/** Pages that are wrong, with what the test says about them. */
const WRONG: Readonly<Record<string, readonly [string, RegExp]>> = {
  'another output': [fence('sh', 'echo one') + fence('', 'two'), /prints something else .*\n.*\none/],
  'another value in JSON': [fence('sh', `echo '{"a": 1}'`) + fence('json', '{"a": 2}'), /output\.a is 1/],
  'a command that fails': [fence('sh', 'false\ntrue'), /it failed: 1: false/],
  'a command that is not there': [fence('sh', 'objectri serve'), /it failed: 127/],
  'a server that does not start': [
    fence('sh', 'PORT=none npx objectry'),
    /it failed: 2: .*\n.*\nObjectry did not start/,
  ],
  'another greeting': [fence('sh', 'npx objectry') + fence('', 'Objectry is here'), /prints something else/],
  'another output in a dialogue': [fence('console', '$ echo one\ntwo'), /prints something else/],
  'a block that is neither run nor compared': [fence('yaml', 'fields: {}'), /neither run nor compared/],
  'output that belongs to nothing': [fence('', 'two'), /neither run nor compared/],
  'a line that is not in the log': [fence('json', '{"msg": "x"}', '<!-- in the log -->'), /no such line/],
  'code that does not compile': [
    fence('ts', 'export const count: number = "one"', '<!-- file: count.ts -->'),
    /count\.ts.*not assignable/,
  ],
  'a name without a value': [fence('sh', 'echo <client id>'), /No answer has given <client id>/],
}

describe('a page fails that has', { ...ON_EMBEDDED, concurrency: 2 }, () => {
  before(() => makeTemplate(undefined))

  for (const [wrong, [markdown, problem]] of Object.entries(WRONG)) {
    test(wrong, async () => {
      assert.match((await runGuide(parsePage(markdown).blocks)).join('\n'), problem)
    })
  }
})

test('a page passes whose files, commands and outputs fit', ON_EMBEDDED, async () => {
  await makeTemplate(undefined)
  const markdown =
    fence('js', "console.log('port', 8080)", '<!-- file: folder/port.js -->') +
    fence('sh', 'NAME=port\nnode folder/$NAME.js') +
    fence('', 'port 8080') +
    fence('console', '$ echo "$NAME" \\\n  two\nport two\n$ false') +
    fence('sh', 'exit 3', '<!-- not run: it would end the shell -->') +
    fence('sh', 'echo {"id":"<some id>"} > id; cat id', '<!-- not run: <some id> has no value -->')
  assert.deepEqual(await runGuide(parsePage(markdown).blocks), [])
})

test(
  'a page that shows the greeting of a first start has one, another begins behind it',
  ON_EMBEDDED,
  async () => {
    await makeTemplate(undefined)
    const first =
      fence('sh', 'npx objectry') +
      fence('', 'Open http://127.0.0.1:8080/console/ in a browser.\n…\n  client id      <client id>\n…')
    const later =
      fence('sh', 'npx objectry') +
      fence(
        '',
        'nothing is said of this block',
        '<!-- not run: it keeps the output of the start from being shown -->',
      ) +
      fence('sh', 'tail -n 1 "$SERVER_LOG"') +
      fence('', 'Get a token with the client id and secret that the first start printed.')
    for (const markdown of [first, later]) assert.deepEqual(await runGuide(parsePage(markdown).blocks), [])
  },
)
