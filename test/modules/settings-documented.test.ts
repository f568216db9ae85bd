import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readConfig } from '../../src/config/config.ts'
import { ConfigError } from '../../src/config/setting-values.ts'
import { SETTINGS } from '../../src/config/settings.ts'
import { codeIn, tableRows } from './documented-tables.ts'

test('every setting stands on the reference page in its order, with flag, default and meaning', () => {
  const documented = tableRows('reference/settings.md').map(([variable, flag, fallback, meaning]) => ({
    variable: codeIn(variable!),
    flag: codeIn(flag!),
    default: fallback === 'none' ? undefined : codeIn(fallback!),
    meaning,
  }))
  const settings = Object.values(SETTINGS).map(({ flag, ...rest }) => ({ ...rest, flag: `--${flag}` }))
  assert.deepEqual(documented, settings)
})

test('a setting comes from its flag, else from its variable, else it has its default; an empty text is none', () => {
  assert.equal(readConfig({ PORT: '1' }, { port: '2' }).port, 2)
  assert.equal(readConfig({ PORT: '1' }, { port: '' }).port, 1)
  assert.equal(readConfig({ PORT: '' }).port, 8080)
})

test('versions are numbers and ranges, ascending; a retired one is not served', () => {
  const { versions, retiredVersions } = readConfig({}, { versions: '40, 31-33,40', retiredVersions: '7,32' })
  assert.deepEqual(versions, [31, 33, 40])
  assert.deepEqual(retiredVersions, [7, 32])
})

test('a public address is cut down to its origin', () => {
  assert.equal(
    readConfig({}, { publicUrl: 'https://records.example.com/a/b?c' }).publicUrl,
    'https://records.example.com',
  )
})

test('a value that cannot be used is refused in words that name the variable', () => {
  const wrong: Parameters<typeof readConfig>[1][] = [
    { port: 'http' },
    { port: '65536' },
    { port: '-1' },
    { poolSize: '0' },
    { processes: '0' },
    { processes: '257' },
    { processes: 'all' },
    { versions: '31-x' },
    { versions: '31', retiredVersions: '31' },
    { sessionSeconds: '1.5' },
    { bodyLimit: '10' },
    { logLevel: 'loud' },
    { callSeconds: '0' },
    { drainSeconds: '-1' },
    { stopSeconds: '0' },
    { blockedExitSeconds: '1' },
    { slowStatementMilliseconds: '0' },
    { metricsToken: 'two words' },
    { publicUrl: 'records.example.com' },
    { publicUrl: 'ftp://records.example.com' },
    { tokenErrors: '-1' },
    { trustedProxies: 'loopback' },
    { trustedProxies: '10.0.0.0/33' },
    { trustedProxies: '10.0.0.0/8/8' },
    { trustedProxies: '10.0.0.1,' },
  ]
  for (const flags of wrong) {
    const [name] = Object.keys(flags!) as (keyof typeof SETTINGS)[]
    assert.throws(
      () => readConfig({}, flags),
      (error) => error instanceof ConfigError && error.message.includes(SETTINGS[name!].variable),
      JSON.stringify(flags),
    )
  }
})
