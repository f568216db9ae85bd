import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openOrg } from '../support/org.ts'

/* When the calls of an org were made. (docs/reference/api/limits-and-versions.md#use-by-hour) */

const USE = '/setup/orgs/current/limits/usage'

test('calls are counted by hour, app and version, also in hours without calls', async () => {
  let now = new Date('2026-11-25T09:59:00Z')
  const o = await openOrg({ clock: () => now, settings: { sessionSeconds: '86400' } })
  const get = async (version: string, times: number) => {
    for (let n = 0; n < times; n++)
      assert.equal((await o.call('GET', `/services/data/v${version}/limits`)).status, 200)
  }
  const load = async (query = '') => (await o.call('GET', `${USE}${query}`)).body.hours
  await get('64.0', 2)
  await get('66.0', 1)
  now = new Date('2026-11-25T11:01:00Z')
  await get('66.0', 1)
  assert.deepEqual(await load('?hours=3'), [
    {
      hour: '2026-11-25T09:00:00Z',
      apps: [{ app: o.clientId, calls: 3 }],
      versions: [
        { version: '64.0', calls: 2 },
        { version: '66.0', calls: 1 },
      ],
    },
    { hour: '2026-11-25T10:00:00Z', apps: [], versions: [] },
    {
      hour: '2026-11-25T11:00:00Z',
      apps: [{ app: o.clientId, calls: 1 }],
      versions: [{ version: '66.0', calls: 1 }],
    },
  ])
  assert.equal((await load()).length, 24)
  for (const hours of ['0', '48', 'x', '-1'])
    assert.equal((await o.call('GET', `${USE}?hours=${hours}`)).status, 400, hours)
})
