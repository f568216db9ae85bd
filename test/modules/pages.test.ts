import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { AttemptCounter } from '../../src/auth/attempts/attempt-counter.ts'
import { callbackWith, makeFormSource } from '../../src/auth/authorize/callback-address.ts'
import { localPath } from '../../src/auth/authorize/return-path.ts'
import { html } from '../../src/auth/pages/html.ts'
import { parseCookies } from '../../src/http/pages/cookies.ts'
import { addressKey } from '../../src/http/request/client-address.ts'
import { runs } from '../support/runs.ts'

/* The parts of pages, where HTTP shows too little of them. */

describe('html', () => {
  test('escapes every part, in a list too, and leaves what is HTML already', () => {
    const inner = html`<b>${'<&>'}</b>`
    assert.equal(
      html`<p title="${'"\'`'}">${inner}${['<', 1]}${false}${undefined}</p>`.text,
      '<p title="&quot;&#39;&#96;"><b>&lt;&amp;&gt;</b>&lt;1</p>',
    )
  })

  test('lets nothing out of a text or an attribute, whatever it is', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const { text: shown } = html`${text}`
        assert.doesNotMatch(shown, /[<>"'`\0]/)
        assert.ok(shown.isWellFormed())
      }),
    )
  })
})

describe('a path to return to', () => {
  /** Texts that are made of what has fooled others. */
  const nasty = fc
    .array(
      fc.constantFrom(
        '/',
        '\\',
        '.',
        '..',
        ':',
        '@',
        '#',
        '?',
        '%2f',
        '%5c',
        '\t',
        '\n',
        '\r',
        '\0',
        ' ',
        'https:',
        'evil.example',
        'a',
      ),
      { maxLength: 8 },
    )
    .map((pieces) => pieces.join(''))

  test('never leads to another server, and never breaks a header', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          nasty,
          nasty.map((text) => `/${text}`),
          fc.string({ unit: 'binary' }),
        ),
        (text) => {
          const path = localPath(text)
          if (path === undefined) return
          assert.equal(new URL(path, 'https://here.example').host, 'here.example')
          assert.match(path, /^\/(?![/\\])[\x21-\x7e]*$/)
        },
      ),
      { numRuns: runs(1500) },
    )
  })
})

describe('a callback', () => {
  test('gets what it is told, whatever that is, in an address that a header can hold', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (state) => {
        for (const callback of ['https://app.example.com/x', 'https://app.example.com/?a=1#end', 'app:/y']) {
          const address = callbackWith(callback, { code: 'c==', state, none: undefined })
          assert.match(address, /^[\x21-\x7e]+$/)
          const { searchParams } = new URL(address)
          assert.equal(searchParams.get('state'), state.toWellFormed())
          assert.equal(searchParams.get('code'), 'c==')
        }
      }),
    )
  })

  test('is named in a policy so that it names nothing else', () => {
    for (const [callback, source] of [
      ['https://app.example.com/a;b c', 'https://app.example.com'],
      ['http://localhost:1717/OauthRedirect', 'http://localhost:1717'],
      ['http://[::1]:80/x', 'http:'],
      ["https://a.example;script-src'*'/", 'https:'],
      ['https://*.example.com/', 'https:'],
      ['com.example.app:/done', 'com.example.app:'],
    ] as const) {
      assert.equal(makeFormSource(callback), source)
    }
  })
})

describe('a counter of attempts in memory', () => {
  const at = (seconds: number) => new Date(seconds * 1000)

  test('says how long to wait when there were too many, from the last one on, and forgets after the window', () => {
    const counter = new AttemptCounter()
    const take = (key: string, second: number) => counter.take(key, { max: 2, seconds: 60 }, at(second))
    assert.deepEqual([take('a', 0), take('a', 10), take('a', 20)], [0, 0, 50])
    assert.equal(take('b', 20), 0)
    assert.equal(take('a', 70), 0)
    counter.release('a')
    assert.deepEqual([take('a', 71), take('a', 71), take('a', 71)], [0, 0, 60])
  })

  test('keeps a bounded number of names, however many come', () => {
    const counter = new AttemptCounter()
    const take = (key: string, second: number) => counter.take(key, { max: 1, seconds: 60 }, at(second))
    take('first', 0)
    assert.equal(take('first', 1), 59)
    for (let name = 0; name < 10_000; name++) take(String(name), 1)
    // The oldest went for the newest.
    assert.equal(take('first', 2), 0)
    assert.equal(take('9999', 2), 59)
  })
})

test('addresses of version 6 count by their first half, mapped ones as version 4', () => {
  for (const [address, key] of [
    ['192.0.2.7', '192.0.2.7'],
    ['::ffff:192.0.2.7', '192.0.2.7'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
    ['2001:db8:1:2::1', '2001:db8:1:2'],
    ['2001:DB8::1', '2001:db8:0:0'],
    ['fe80::1%eth0', 'fe80:0:0:0'],
    ['::1', '0:0:0:0'],
  ] as const) {
    assert.equal(addressKey(address), key)
  }
})

test('of two cookies with one name the first counts, and odd ones are none', () => {
  const cookies = parseCookies('a=1; a=2; b="x"; c; =d; e=; f=ok_-9; __Host-g=1', false)
  assert.deepEqual(
    [...cookies],
    [
      ['a', '1'],
      ['f', 'ok_-9'],
    ],
  )
})
