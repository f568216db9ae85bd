import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { fetchRecords } from '../support/ask.ts'
import { assertRefused } from '../support/assert-refused.ts'
import { ingest, results } from '../support/bulk.ts'
import { sendDocument } from '../support/graphql.ts'
import { openOrg, type TestOrg } from '../support/org.ts'
import { addPerson, allow } from '../support/people.ts'
import { triggersFrom } from '../support/trigger-files.ts'

/* Records that keep accounts and contacts from being deleted. (docs/reference/api/standard-objects.md) */

const associated = (name: string, plural: string, children?: string) =>
  `Your attempt to delete ${name} could not be completed because it is associated with the following ${plural}.${children === undefined ? '' : `: ${children}`}`

let o: TestOrg

before(async () => {
  // Deletes the record that the description of a campaign names.
  const triggers = await triggersFrom({
    'remove.ts': `export default {
      object: 'Campaign',
      async beforeInsert(changes: any[], org: any) {
        for (const { record } of changes)
          if (record.Description) await org.delete('Account', [record.Description])
      },
    }`,
  })
  o = await openOrg({ triggers })
})

const numberOf = async (id: string) =>
  (await o.call('GET', `/sobjects/Case/${id}?fields=CaseNumber`)).body.CaseNumber as string

async function addAccountWithCase(name: string) {
  const account = await o.create('Account', { Name: name })
  const owned = await o.create('Case', { AccountId: account })
  return { account, owned, number: await numberOf(owned) }
}

describe('a case', () => {
  test('keeps its account in every way to delete it', async () => {
    const { account, owned, number } = await addAccountWithCase('Acme')
    const message = associated('Acme', 'cases', number)
    const path = `/services/data/v64.0/sobjects/Account/${account}`
    const error = { statusCode: 'DELETE_FAILED', message, fields: [] }
    const shown = [{ errorCode: 'DELETE_FAILED', message, fields: [] }]

    assertRefused(await o.call('DELETE', path), 400, 'DELETE_FAILED', message)
    const collected = await o.call('DELETE', `/composite/sobjects?ids=${account}`)
    assert.deepEqual(collected.body, [{ id: account, success: false, errors: [error] }])
    const steps = [{ method: 'DELETE', url: path, referenceId: 'gone' }]
    const composite = await o.call('POST', '/composite', { body: { compositeRequest: steps } })
    assert.deepEqual(composite.body.compositeResponse[0].body, shown)
    const graph = { graphs: [{ graphId: 'g', compositeRequest: steps }] }
    const graphs = await o.call('POST', '/composite/graph', { body: graph })
    assert.deepEqual(graphs.body.graphs[0].graphResponse.compositeResponse[0].body, shown)
    const batchRequests = [{ method: 'DELETE', url: `v64.0/sobjects/Account/${account}` }]
    const batch = await o.call('POST', '/composite/batch', { body: { batchRequests } })
    assert.deepEqual(batch.body.results[0].result, shown)
    for (const operation of ['delete', 'hardDelete']) {
      const job = await ingest(o, { object: 'Account', operation }, `Id\n${account}\n`)
      assert.ok((await results(o, job.id)).failed.includes(`"DELETE_FAILED:${message}:--"`))
    }
    const { errors } = await sendDocument(
      o,
      `mutation { uiapi { AccountDelete(input: {Id: "${account}"}) { Id } } }`,
    )
    assert.equal(errors[0]!.message, message)
    const byCode = await o.call('POST', '/sobjects/Campaign', { body: { Name: 'c', Description: account } })
    assert.equal(byCode.status, 400)
    assert.ok(byCode.text.includes(message), byCode.text)

    const [left] = await fetchRecords(o, `SELECT AccountId FROM Case WHERE Id = '${owned}'`)
    assert.deepEqual(left, { AccountId: account })
    assert.equal((await o.call('DELETE', `/sobjects/Case/${owned}`)).status, 204)
    assert.equal((await o.call('DELETE', path)).status, 204)
  })

  test('keeps its contact, and with it the account with which the contact would go', async () => {
    const account = await o.create('Account', { Name: 'Above' })
    const contact = await o.create('Contact', { FirstName: 'Ann', LastName: 'King', AccountId: account })
    const owned = await o.create('Case', { ContactId: contact })
    await o.call('PATCH', `/sobjects/Case/${owned}`, { body: { AccountId: null } })
    const number = await numberOf(owned)
    for (const [path, name] of [
      [`Contact/${contact}`, 'Ann King'],
      [`Account/${account}`, 'Above'],
    ] as const) {
      const answer = await o.call('DELETE', `/sobjects/${path}`)
      assertRefused(answer, 400, 'DELETE_FAILED', associated(name, 'cases', number))
    }
  })

  test('keeps those of a list that have one, each with its own message', async () => {
    const [one, two] = [await addAccountWithCase('One'), await addAccountWithCase('Two')]
    const free = await o.create('Account', { Name: 'Free' })
    const { body } = await o.call('DELETE', `/composite/sobjects?ids=${one.account},${free},${two.account}`)
    assert.deepEqual(
      body.map(({ errors }: { errors: { message: string }[] }) => errors.map(({ message }) => message)),
      [[associated('One', 'cases', one.number)], [], [associated('Two', 'cases', two.number)]],
    )
  })

  test('that the caller does not see is not named', async () => {
    const { account } = await addAccountWithCase('Shown')
    const person = await addPerson(o, 'deleter')
    await allow(o, person.setId, 'Account', 'Read', 'Edit', 'Delete', 'ViewAllRecords', 'ModifyAllRecords')
    const answer = await person.call('DELETE', `/sobjects/Account/${account}`)
    const message =
      'Your attempt to delete Shown could not be completed because it is associated with other records.'
    assertRefused(answer, 400, 'DELETE_FAILED', message)
  })
})

test('an order keeps its account, also as a draft, and a draft of a contract goes with it', async () => {
  const account = await o.create('Account', { Name: 'Orders' })
  await o.create('Contract', { AccountId: account })
  const order = await o.create('Order', { AccountId: account, EffectiveDate: '2026-05-01', Status: 'Draft' })
  const { OrderNumber } = (await o.call('GET', `/sobjects/Order/${order}`)).body
  const answer = await o.call('DELETE', `/sobjects/Account/${account}`)
  assertRefused(answer, 400, 'DELETE_FAILED', associated('Orders', 'orders', OrderNumber))
  await o.call('DELETE', `/sobjects/Order/${order}`)
  assert.equal((await o.call('DELETE', `/sobjects/Account/${account}`)).status, 204)
  assert.deepEqual(await fetchRecords(o, `SELECT Id FROM Contract WHERE AccountId = '${account}'`), [])
})

test('describes say what keeps a record and what goes with it', async () => {
  const restricting = async (object: string) => {
    const { childRelationships } = (await o.call('GET', `/sobjects/${object}/describe`)).body
    type Child = { childSObject: string; field: string; restrictedDelete: boolean; cascadeDelete: boolean }
    const some = childRelationships.filter(
      ({ childSObject }: Child) => childSObject === 'Case' || childSObject === 'Order',
    )
    return some
      .filter(({ restrictedDelete }: Child) => restrictedDelete)
      .map(({ childSObject, field }: Child) => `${childSObject}.${field}`)
      .sort()
  }
  assert.deepEqual(await restricting('Account'), ['Case.AccountId', 'Order.AccountId'])
  assert.deepEqual(await restricting('Contact'), [
    'Case.ContactId',
    'Order.BillToContactId',
    'Order.CustomerAuthorizedById',
    'Order.ShipToContactId',
  ])
})
