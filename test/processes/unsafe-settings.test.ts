import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readConfig, type Texts } from '../../src/config/config.ts'
import { unsafeSettings } from '../../src/server/unsafe-settings.ts'
import { ON_EMBEDDED } from '../support/engine.ts'
import { startServer } from '../support/server-process.ts'

/* The warnings of a start. */

const HTTPS = 'https://records.example.com'

const CASES: readonly (readonly [Texts, ...RegExp[]])[] = [
  [{}],
  [{ host: 'localhost', allowFaults: 'true', allowPasswordFlow: 'true' }],
  [{ host: '::1' }],
  [{ host: '127.0.0.2', publicUrl: 'http://127.0.0.1:9000' }],
  [{ host: '0.0.0.0' }, /HOST=0\.0\.0\.0 .*OBJECTRY_PUBLIC_URL is not set.*TLS/],
  [{ host: '::' }, /OBJECTRY_PUBLIC_URL is not set/],
  [{ host: '10.0.0.5' }, /OBJECTRY_PUBLIC_URL is not set/],
  [{ host: '0.0.0.0', publicUrl: HTTPS }],
  [{ publicUrl: HTTPS }],
  [{ host: '0.0.0.0', publicUrl: 'http://localhost:8080' }],
  [{ host: '0.0.0.0', publicUrl: 'http://records.example.com' }, /no TLS.*https:\/\/records\.example\.com/],
  [{ publicUrl: 'http://records.example.com' }, /no TLS/],
  [{ publicUrl: HTTPS, allowFaults: 'headers' }, /OBJECTRY_ALLOW_FAULTS=headers/],
  [{ host: '0.0.0.0', publicUrl: HTTPS, allowPasswordFlow: 'true' }, /PASSWORD_FLOW=true/],
  [{ host: '0.0.0.0', publicUrl: HTTPS, allowSoapLogin: 'true' }, /SOAP_LOGIN=true/],
  [
    { host: '0.0.0.0', allowFaults: 'true', allowPasswordFlow: 'true' },
    /PUBLIC_URL/,
    /ALLOW_FAULTS/,
    /PASSWORD_FLOW/,
  ],
]

test('a start warns in a line each of what is unsafe where other machines reach the server, and of nothing on the loopback', () => {
  for (const [flags, ...expected] of CASES) {
    const warnings = unsafeSettings(readConfig({}, flags))
    assert.equal(warnings.length, expected.length, `${JSON.stringify(flags)}: ${warnings}`)
    for (const [n, pattern] of expected.entries()) assert.match(warnings[n]!, pattern)
    for (const warning of warnings) assert.doesNotMatch(warning, /\n/)
  }
})

test('the warnings are in the log of a server', ON_EMBEDDED, async () => {
  const variables = { OBJECTRY_DATA: 'memory', OBJECTRY_LOG_LEVEL: 'warn' }
  const server = await startServer({ ...variables, OBJECTRY_PUBLIC_URL: 'http://records.example.com' })
  let said = server.greeting
  server.child.stdout!.on('data', (text) => {
    said += text
  })
  await server.end('SIGTERM')
  assert.match(said, /"level":40.*has no TLS/)
})
