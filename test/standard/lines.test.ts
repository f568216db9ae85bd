import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { fetchRecords } from '../support/ask.ts'
import { assertRefused } from '../support/assert-refused.ts'
import { assertSteps, assertValues } from '../support/derived.ts'
import { openOrg, type TestOrg } from '../support/org.ts'
import { addPrices, type Prices } from '../support/prices.ts'

/* The lines of opportunities, quotes and orders. */

const DEAL = { Name: 'Deal', StageName: 'Prospecting', CloseDate: '2026-05-10' }
const OTHER_BOOK =
  'field integrity exception: PricebookEntryId (pricebook entry is in a different pricebook than the one assigned to the opportunity)'

const refuse = (o: TestOrg, object: string, body: object) => o.call('POST', `/sobjects/${object}`, { body })

describe('a line of an opportunity', () => {
  let o: TestOrg
  let prices: Prices
  before(async () => {
    o = await openOrg()
    prices = await addPrices(o)
  })

  const addDeal = (fields: object = {}) => o.create('Opportunity', { ...DEAL, ...fields })
  const line = (opportunity: string, fields: object) => ({
    OpportunityId: opportunity,
    PricebookEntryId: prices.entry,
    ...fields,
  })

  for (const [title, created, gives, changes] of [
    [
      'takes the list price',
      { Quantity: 2 },
      { UnitPrice: 100, TotalPrice: 200, Subtotal: 200, ListPrice: 100 },
      [],
    ],
    [
      'has a total of price, quantity and discount',
      { Quantity: 3, UnitPrice: 10, Discount: 10 },
      { TotalPrice: 27, Subtotal: 30 },
      [
        [{ UnitPrice: 20 }, { TotalPrice: 54, Subtotal: 60 }],
        [{ Discount: 50 }, { UnitPrice: 20, TotalPrice: 30 }],
        // The total stays, as the reference of the platform says.
        [{ Quantity: 6 }, { TotalPrice: 30, UnitPrice: 10 }],
        [{ TotalPrice: 60 }, { UnitPrice: 20 }],
        [{ Description: 'x' }, { UnitPrice: 20, TotalPrice: 60 }],
      ],
    ],
    ['has a price that its total decides', { Quantity: 4, TotalPrice: 10 }, { UnitPrice: 2.5 }, []],
    ['may be of a negative quantity', { Quantity: -1, UnitPrice: 5 }, { TotalPrice: -5 }, []],
  ] as const) {
    test(title, async () => {
      const steps = changes as readonly (readonly [object, object])[]
      await assertSteps(o, 'OpportunityLineItem', [
        [line(await addDeal(), created), gives],
        ...(steps as [Record<string, unknown>, Record<string, unknown>][]),
      ])
    })
  }

  test('is named by its opportunity and its product', async () => {
    await assertSteps(o, 'OpportunityLineItem', [
      [
        line(await addDeal(), { Quantity: 1 }),
        { Name: 'Deal Roof', ProductCode: 'Roof-1', Product2Id: prices.product },
      ],
    ])
  })

  test('is refused with two prices, with none to divide, and where it is of nothing', async () => {
    const deal = await addDeal()
    const both = await refuse(
      o,
      'OpportunityLineItem',
      line(deal, { Quantity: 1, UnitPrice: 1, TotalPrice: 1 }),
    )
    const message = 'only one of unit price or total price may be specified'
    assertRefused(both, 400, 'FIELD_INTEGRITY_EXCEPTION', message, ['UnitPrice'])
    const none = await refuse(o, 'OpportunityLineItem', line(deal, { Quantity: 0 }))
    assertRefused(none, 400, 'FIELD_INTEGRITY_EXCEPTION', 'Quantity must be nonzero', ['Quantity'])
    const id = await o.create('OpportunityLineItem', line(deal, { Quantity: 1 }))
    const unclear = await o.call('PATCH', `/sobjects/OpportunityLineItem/${id}`, {
      body: { Quantity: 2, Discount: 3 },
    })
    assert.equal(unclear.status, 400, unclear.text)
  })

  test('gives its opportunity the price book of the first line, and others have to be of it', async () => {
    const deal = await addDeal()
    await o.create('OpportunityLineItem', line(deal, { Quantity: 1 }))
    await assertValues(o, 'Opportunity', deal, { Pricebook2Id: prices.book })
    const other = await addPrices(o, 'Wall')
    const wrong = await refuse(o, 'OpportunityLineItem', {
      ...line(deal, { Quantity: 1 }),
      PricebookEntryId: other.entry,
    })
    assertRefused(wrong, 400, 'FIELD_INTEGRITY_EXCEPTION', OTHER_BOOK, ['PricebookEntryId'])
    await o.call('PATCH', `/sobjects/PricebookEntry/${prices.entry}`, { body: { IsActive: false } })
    const inactive = await refuse(o, 'OpportunityLineItem', line(deal, { Quantity: 1 }))
    assertRefused(inactive, 400, 'FIELD_INTEGRITY_EXCEPTION', /pricebook entry is inactive/, [
      'PricebookEntryId',
    ])
    await o.call('PATCH', `/sobjects/PricebookEntry/${prices.entry}`, { body: { IsActive: true } })
    const moved = await o.call('PATCH', `/sobjects/Opportunity/${deal}`, {
      body: { Pricebook2Id: other.book },
    })
    assertRefused(moved, 400, 'FIELD_INTEGRITY_EXCEPTION', /with products/, ['Pricebook2Id'])
  })

  test('of a list that is the first of its opportunity decides the price book for the others', async () => {
    const other = await addPrices(o, 'Fence')
    const deal = await o.create('Opportunity', DEAL)
    const records = [
      { PricebookEntryId: prices.entry },
      { PricebookEntryId: other.entry },
      { Product2Id: prices.product },
    ].map((line) => ({
      attributes: { type: 'OpportunityLineItem' },
      OpportunityId: deal,
      Quantity: 1,
      ...line,
    }))
    const { body } = await o.call('POST', '/composite/sobjects', { body: { records } })
    const codes = body.map(({ errors }: { errors: { statusCode: string }[] }) => errors[0]?.statusCode)
    assert.deepEqual(codes, [undefined, 'FIELD_INTEGRITY_EXCEPTION', undefined])
    await assertValues(o, 'Opportunity', deal, { Pricebook2Id: prices.book, Amount: 200 })
  })

  test('that names a product alone has its entry in the price book of its opportunity', async () => {
    const deal = await o.create('Opportunity', { ...DEAL, Pricebook2Id: prices.book })
    const line = { OpportunityId: deal, Product2Id: prices.product, Quantity: 2 }
    const id = await o.create('OpportunityLineItem', line)
    await assertValues(o, 'OpportunityLineItem', id, {
      PricebookEntryId: prices.entry,
      ListPrice: 100,
      TotalPrice: 200,
      Name: `${DEAL.Name} Roof`,
    })
    const unpriced = await o.create('Product2', { Name: 'Without a price' })
    for (const one of [
      { ...line, Product2Id: unpriced },
      { ...line, OpportunityId: await o.create('Opportunity', DEAL) },
    ]) {
      const answer = await refuse(o, 'OpportunityLineItem', one)
      assertRefused(answer, 400, 'FIELD_INTEGRITY_EXCEPTION', /no entry of the product/, ['PricebookEntryId'])
    }
  })

  test('counts in the amount of its opportunity as long as it is there', async () => {
    const deal = await addDeal({ Amount: 7 })
    const first = await o.create('OpportunityLineItem', line(deal, { Quantity: 1, UnitPrice: 10 }))
    const whole = {
      Amount: 10,
      ExpectedRevenue: 1,
      HasOpportunityLineItem: true,
      TotalOpportunityQuantity: 1,
    }
    await assertValues(o, 'Opportunity', deal, whole)
    const second = await o.create('OpportunityLineItem', line(deal, { Quantity: 2, UnitPrice: 5 }))
    await assertValues(o, 'Opportunity', deal, { Amount: 20, TotalOpportunityQuantity: 3 })
    await o.call('PATCH', `/sobjects/OpportunityLineItem/${second}`, { body: { UnitPrice: 50 } })
    await assertValues(o, 'Opportunity', deal, { Amount: 110, ExpectedRevenue: 11 })
    const ignored = await o.call('PATCH', `/sobjects/Opportunity/${deal}`, {
      body: { Amount: 1, NextStep: 'Call' },
    })
    assert.equal(ignored.status, 204, ignored.text)
    await assertValues(o, 'Opportunity', deal, { Amount: 110, NextStep: 'Call' })
    await o.call('DELETE', `/sobjects/OpportunityLineItem/${first}`)
    await assertValues(o, 'Opportunity', deal, { Amount: 100 })
    await o.call('DELETE', `/sobjects/OpportunityLineItem/${second}`)
    await assertValues(o, 'Opportunity', deal, { Amount: 0, HasOpportunityLineItem: false })
    await o.call('PATCH', `/sobjects/Opportunity/${deal}`, { body: { Amount: 5 } })
    await assertValues(o, 'Opportunity', deal, { Amount: 5 })
  })

  test('of a list changes its opportunities once, and all of them by all of their lines', async () => {
    const [a, b] = [await addDeal(), await addDeal()]
    const records = [a, b, a].map((deal, index) => ({
      attributes: { type: 'OpportunityLineItem' },
      ...line(deal, { Quantity: 1, UnitPrice: index + 1 }),
    }))
    const { body } = await o.call('POST', '/composite/sobjects', { body: { records } })
    assert.ok(
      body.every(({ success }: { success: boolean }) => success),
      JSON.stringify(body),
    )
    await assertValues(o, 'Opportunity', a, { Amount: 4 })
    await assertValues(o, 'Opportunity', b, { Amount: 2 })
  })

  test('written by many at once never loses a part of the amount', async () => {
    const deal = await addDeal()
    const created = await Promise.all(
      Array.from({ length: 24 }, (_, index) =>
        refuse(o, 'OpportunityLineItem', line(deal, { Quantity: 1, UnitPrice: index + 1 })),
      ),
    )
    for (const { status, text } of created) assert.equal(status, 201, text)
    await assertValues(o, 'Opportunity', deal, { Amount: 300, TotalOpportunityQuantity: 24 })
  })
})

describe('a quote', () => {
  test('adds up its lines, with tax and shipping', async () => {
    const o = await openOrg()
    const { book, entry } = await addPrices(o)
    const account = await o.create('Account', { Name: 'A' })
    const deal = await o.create('Opportunity', { ...DEAL, AccountId: account, Pricebook2Id: book })
    const id = await assertSteps(o, 'Quote', [
      [
        { Name: 'Q', OpportunityId: deal, Tax: 5 },
        { AccountId: account, Pricebook2Id: book, GrandTotal: 5, LineItemCount: 0, Discount: null },
      ],
    ])
    const line = { QuoteId: id, PricebookEntryId: entry, Quantity: 2 }
    const missing = await refuse(o, 'QuoteLineItem', line)
    assertRefused(missing, 400, 'REQUIRED_FIELD_MISSING', 'Required fields are missing: [UnitPrice]', [
      'UnitPrice',
    ])
    await assertSteps(o, 'QuoteLineItem', [
      [
        { ...line, UnitPrice: 50, Discount: 10 },
        { Subtotal: 100, TotalPrice: 90, ListPrice: 100 },
      ],
      [{ Quantity: 4 }, { Subtotal: 200, TotalPrice: 180 }],
    ])
    await assertValues(o, 'Quote', id, {
      Subtotal: 200,
      TotalPrice: 180,
      Discount: 10,
      GrandTotal: 185,
      LineItemCount: 1,
    })
    await o.call('PATCH', `/sobjects/Quote/${id}`, { body: { ShippingHandling: 15 } })
    await assertValues(o, 'Quote', id, { GrandTotal: 200 })
    const other = await o.create('Pricebook2', { Name: 'Other', IsActive: true })
    const moved = await o.call('PATCH', `/sobjects/Quote/${id}`, { body: { Pricebook2Id: other } })
    assertRefused(moved, 400, 'FIELD_INTEGRITY_EXCEPTION', /with lines/, ['Pricebook2Id'])
  })
})

describe('an order', () => {
  let o: TestOrg
  let prices: Prices
  let account: string
  before(async () => {
    o = await openOrg()
    prices = await addPrices(o)
    account = await o.create('Account', { Name: 'A' })
  })

  const addOrder = (fields: object = {}) =>
    o.create('Order', {
      AccountId: account,
      Pricebook2Id: prices.book,
      EffectiveDate: '2026-05-01',
      Status: 'Draft',
      ...fields,
    })
  const line = (order: string, fields: object = {}) => ({
    OrderId: order,
    PricebookEntryId: prices.entry,
    Quantity: 2,
    UnitPrice: 10,
    ...fields,
  })
  const change = (order: string, body: object) => o.call('PATCH', `/sobjects/Order/${order}`, { body })
  const setStatus = (order: string, Status: string) => change(order, { Status })

  test('adds up its lines', async () => {
    const order = await addOrder()
    await assertSteps(o, 'OrderItem', [
      [line(order), { TotalPrice: 20, ListPrice: 100 }],
      [{ Quantity: 3 }, { TotalPrice: 30 }],
    ])
    await assertValues(o, 'Order', order, { TotalAmount: 30 })
  })

  test('is activated with lines only, which are locked then until it is a draft again', async () => {
    const order = await addOrder()
    const empty = await setStatus(order, 'Activated')
    assertRefused(empty, 400, 'FAILED_ACTIVATION', 'An order must have at least one product.')
    const item = await o.create('OrderItem', line(order))
    assert.equal((await setStatus(order, 'Activated')).status, 204)
    await assertValues(o, 'Order', order, { StatusCode: 'Activated', ActivatedById: o.userId })
    for (const answer of [
      await refuse(o, 'OrderItem', line(order)),
      await o.call('PATCH', `/sobjects/OrderItem/${item}`, { body: { Quantity: 5 } }),
      await o.call('PATCH', `/sobjects/OrderItem/${item}`, { body: { Description: 'x' } }),
      await o.call('DELETE', `/sobjects/OrderItem/${item}`),
    ]) {
      assertRefused(answer, 400, 'ENTITY_IS_LOCKED', /activated/)
    }
    const kept = await o.call('DELETE', `/sobjects/Order/${order}`)
    assertRefused(kept, 400, 'DELETE_FAILED', 'unable to modify activated order')
    assert.equal((await setStatus(order, 'Draft')).status, 204)
    await assertValues(o, 'Order', order, { ActivatedDate: null, ActivatedById: null })
    assert.equal((await o.call('DELETE', `/sobjects/OrderItem/${item}`)).status, 204)
  })

  test('is created as a draft', async () => {
    const answer = await refuse(o, 'Order', {
      AccountId: account,
      EffectiveDate: '2026-05-01',
      Status: 'Activated',
    })
    assertRefused(answer, 400, 'FAILED_ACTIVATION', 'For a new or cloned order, choose Draft.', ['Status'])
  })

  test('is for an account', async () => {
    const answer = await refuse(o, 'Order', { EffectiveDate: '2026-05-01', Status: 'Draft' })
    assertRefused(answer, 400, 'REQUIRED_FIELD_MISSING', 'Select an account.')
    const contract = await o.create('Contract', { AccountId: account, StartDate: '2026-05-01' })
    const order = { ContractId: contract, EffectiveDate: '2026-05-01', Status: 'Draft' }
    const id = await o.create('Order', order)
    await assertValues(o, 'Order', id, { AccountId: account })
    const left = await change(id, { AccountId: null, ContractId: null })
    assertRefused(left, 400, 'REQUIRED_FIELD_MISSING', 'Select an account.')
  })

  test('has one of its statuses', async () => {
    const answer = await refuse(o, 'Order', {
      AccountId: account,
      EffectiveDate: '2026-05-01',
      Status: 'Sent',
    })
    assertRefused(answer, 400, 'INVALID_OR_NULL_FOR_RESTRICTED_PICKLIST', /restricted picklist.*Sent/, [
      'Status',
    ])
  })

  test('ends after it begins, and begins when its contract has begun', async () => {
    const days = { EffectiveDate: '2026-05-10', EndDate: '2026-05-09' }
    const ended = await refuse(o, 'Order', { AccountId: account, Status: 'Draft', ...days })
    assertRefused(ended, 400, 'FIELD_INTEGRITY_EXCEPTION', /before it begins/, ['EndDate'])
    const id = await addOrder({ EndDate: '2026-05-01' })
    assertRefused(
      await change(id, { EffectiveDate: '2026-05-02' }),
      400,
      'FIELD_INTEGRITY_EXCEPTION',
      /before/,
      ['EndDate'],
    )
    const contract = await o.create('Contract', { AccountId: account, StartDate: '2026-05-02' })
    const early = await change(id, { ContractId: contract })
    assertRefused(early, 400, 'FIELD_INTEGRITY_EXCEPTION', /before its contract/, ['EffectiveDate'])
  })

  test('keeps the price book and the days that its lines need', async () => {
    const order = await addOrder({ EndDate: '2026-12-31' })
    const item = await o.create(
      'OrderItem',
      line(order, { ServiceDate: '2026-06-01', EndDate: '2026-07-01' }),
    )
    for (const [values, field] of [
      [{ Pricebook2Id: null }, 'Pricebook2Id'],
      [{ Pricebook2Id: await o.create('Pricebook2', { Name: 'Other', IsActive: true }) }, 'Pricebook2Id'],
      [{ EffectiveDate: '2026-06-02' }, 'EffectiveDate'],
      [{ EndDate: '2026-06-30' }, 'EndDate'],
    ] as const) {
      const answer = await change(order, values)
      assertRefused(answer, 400, 'FIELD_INTEGRITY_EXCEPTION', /products/, [field])
    }
    assert.equal((await change(order, { Pricebook2Id: prices.book, EndDate: '2026-07-01' })).status, 204)
    assert.equal((await o.call('DELETE', `/sobjects/OrderItem/${item}`)).status, 204)
    assert.equal((await change(order, { Pricebook2Id: null })).status, 204)
  })

  test('takes lines of the quote that it is made of', async () => {
    const deal = await o.create('Opportunity', { ...DEAL, Pricebook2Id: prices.book })
    const [quote, other] = [
      await o.create('Quote', { Name: 'Q', OpportunityId: deal }),
      await o.create('Quote', { Name: 'R', OpportunityId: deal }),
    ]
    const quoted = (QuoteId: string) =>
      o.create('QuoteLineItem', { QuoteId, PricebookEntryId: prices.entry, Quantity: 1, UnitPrice: 1 })
    const order = await addOrder({ QuoteId: quote })
    const foreign = await refuse(o, 'OrderItem', line(order, { QuoteLineItemId: await quoted(other) }))
    assertRefused(foreign, 400, 'FIELD_INTEGRITY_EXCEPTION', /not of the quote/, ['QuoteLineItemId'])
    await o.create('OrderItem', line(order, { QuoteLineItemId: await quoted(quote) }))
  })

  test('takes lines of its price book and within its dates', async () => {
    const order = await addOrder({ Pricebook2Id: null })
    const none = await refuse(o, 'OrderItem', line(order))
    assertRefused(none, 400, 'FIELD_INTEGRITY_EXCEPTION', 'The order is missing a price book', [
      'PricebookEntryId',
    ])
    const dated = await addOrder({ EndDate: '2026-06-01' })
    const early = await refuse(o, 'OrderItem', line(dated, { ServiceDate: '2026-04-30' }))
    assert.deepEqual([early.status, early.body[0].fields], [400, ['ServiceDate']])
    const late = await refuse(o, 'OrderItem', line(dated, { EndDate: '2026-06-02' }))
    assert.deepEqual([late.status, late.body[0].fields], [400, ['EndDate']])
    const turned = await refuse(
      o,
      'OrderItem',
      line(dated, { ServiceDate: '2026-05-20', EndDate: '2026-05-19' }),
    )
    assertRefused(turned, 400, 'FIELD_INTEGRITY_EXCEPTION', /before it begins/, ['EndDate'])
  })
})

test('an asset is of an account or a contact', async () => {
  const o = await openOrg()
  const account = await o.create('Account', { Name: 'A' })
  const message = 'Every asset needs an account, a contact, or both.'
  const fields = ['AccountId', 'ContactId']
  const none = await refuse(o, 'Asset', { Name: 'x' })
  assertRefused(none, 400, 'FIELD_INTEGRITY_EXCEPTION', message, fields)
  const id = await o.create('Asset', { Name: 'x', AccountId: account })
  const cleared = await o.call('PATCH', `/sobjects/Asset/${id}`, { body: { AccountId: null } })
  assertRefused(cleared, 400, 'FIELD_INTEGRITY_EXCEPTION', message, fields)
})

test('an asset is in a line of assets below the one at its top, and of its product', async () => {
  const o = await openOrg()
  const product = await o.create('Product2', { Name: 'P', ProductCode: 'C', StockKeepingUnit: 'S' })
  const asset = { AccountId: await o.create('Account', { Name: 'A' }) }
  const top = await o.create('Asset', { ...asset, Name: 'top', Product2Id: product })
  const below = await o.create('Asset', { ...asset, Name: 'below', ParentId: top })
  const last = await o.create('Asset', { ...asset, Name: 'last', ParentId: below })
  await assertValues(o, 'Asset', top, {
    RootAssetId: top,
    AssetLevel: 1,
    ProductCode: 'C',
    StockKeepingUnit: 'S',
  })
  await assertValues(o, 'Asset', last, { RootAssetId: top, AssetLevel: 3, ProductCode: null })
  const found = await fetchRecords(
    o,
    `SELECT Name, RootAsset.Name FROM Asset WHERE RootAssetId = '${top}' AND AssetLevel > 1 ORDER BY AssetLevel DESC`,
  )
  assert.deepEqual(
    found.map((one) => [one.Name, (one.RootAsset as { Name: string }).Name]),
    [
      ['last', 'top'],
      ['below', 'top'],
    ],
  )
  assert.equal((await o.call('PATCH', `/sobjects/Asset/${below}`, { body: { ParentId: null } })).status, 204)
  await assertValues(o, 'Asset', last, { RootAssetId: below, AssetLevel: 2 })
  assert.equal((await o.call('DELETE', `/sobjects/Asset/${below}`)).status, 204)
  await assertValues(o, 'Asset', last, { RootAssetId: last, AssetLevel: 1 })
})

test('an amount that no field can hold is refused, wherever it would come from', async () => {
  const o = await openOrg()
  const { entry } = await addPrices(o)
  const deal = await o.create('Opportunity', DEAL)
  const line = { OpportunityId: deal, PricebookEntryId: entry }
  const most = 9_000_000_000_000_000
  const code = 'NUMBER_OUTSIDE_VALID_RANGE'
  for (const prices of [
    { Quantity: 9_999_999_999, UnitPrice: most },
    { Quantity: 0.01, TotalPrice: most },
    { Quantity: 1, TotalPrice: 1, Discount: 100, UnitPrice: null },
  ]) {
    const answer = await refuse(o, 'OpportunityLineItem', { ...line, ...prices })
    assert.ok([201, 400].includes(answer.status), answer.text)
  }
  const large = { ...line, Quantity: 1, UnitPrice: most }
  await o.create('OpportunityLineItem', large)
  const sum = await refuse(o, 'OpportunityLineItem', large)
  assert.deepEqual([sum.status, sum.body[0].errorCode], [400, code])
  const records = [large, { ...line, Quantity: 1, UnitPrice: 1 }].map((one) => ({
    attributes: { type: 'OpportunityLineItem' },
    ...one,
  }))
  const listed = await o.call('POST', '/composite/sobjects', { body: { records } })
  assert.equal(listed.status, 200, listed.text)
  const expected = await o.call('PATCH', `/sobjects/Opportunity/${deal}`, { body: { Probability: 999 } })
  assertRefused(expected, 400, code, /ExpectedRevenue|Expected/, ['ExpectedRevenue'])
})
