import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { deploy, fetchPlan, fetchRefusals, type Objects } from '../support/deploying.ts'
import { openOrg, type TestOrg } from '../support/org.ts'

const OBJECTS: Objects = {
  Client__c: {
    sharing: 'private',
    fields: {
      Discount__c: { type: 'percent', scale: 1 },
      Active__c: { type: 'boolean' },
      Region__c: { type: 'string' },
      Title__c: { type: 'string', formula: "Name & ' (' & Region__c & ')'" },
      OwnerName__c: { type: 'string', formula: 'Owner:User.LastName' },
    },
  },
  Job__c: {
    fields: {
      Client__c: { type: 'reference', to: 'Client__c', children: 'Jobs__r' },
      Hours__c: { type: 'double', precision: 8, scale: 2 },
      Rate__c: { type: 'currency' },
      Start__c: { type: 'date' },
      Opened__c: { type: 'datetime' },
      At__c: { type: 'time' },
      Stage__c: { type: 'picklist', values: ['New', 'Won', 'Lost'] },
      Cost__c: { type: 'currency', formula: 'Hours__c * Rate__c' },
      Strict__c: { type: 'double', scale: 2, blanks: 'blank', formula: 'Hours__c * 2' },
      Net__c: { type: 'currency', formula: 'Cost__c * (1 - Client__r.Discount__c)' },
      Share__c: { type: 'percent', scale: 1, formula: 'Hours__c / 80' },
      Ratio__c: { type: 'double', scale: 3, formula: '100 / Hours__c' },
      Label__c: { type: 'string', formula: "TEXT(Stage__c) & ': ' & Client__r.Title__c" },
      Open__c: { type: 'boolean', formula: "NOT(ISPICKVAL(Stage__c, 'Lost')) && Client__r.Active__c" },
      Due__c: { type: 'date', formula: 'Start__c + 30' },
      Later__c: { type: 'datetime', formula: 'Opened__c + 0.5' },
      Soon__c: { type: 'time', formula: 'At__c + 60000' },
      Mine__c: { type: 'boolean', formula: 'OwnerId = $User.Id' },
    },
    indexes: [['Cost__c']],
  },
}

let o: TestOrg
let client: string
let job: string
let empty: string

before(async () => {
  o = await openOrg()
  assert.equal((await deploy(o, OBJECTS)).status, 200)
  client = await o.create('Client__c', {
    Name: 'Acme',
    Discount__c: 12.5,
    Active__c: true,
    Region__c: 'Nord',
  })
  job = await o.create('Job__c', {
    Name: 'Roof',
    Client__c: client,
    Hours__c: 12.5,
    Rate__c: 80.1,
    Start__c: '2026-11-20',
    Opened__c: '2026-11-20T20:00:00Z',
    At__c: '23:59:30.000Z',
    Stage__c: 'Won',
  })
  empty = await o.create('Job__c', { Name: 'Empty' })
})

const EXPECTED = {
  Cost__c: 1001.25,
  Strict__c: 25,
  Net__c: 876.09,
  Share__c: 15.6,
  Ratio__c: 8,
  Label__c: 'Won: Acme (Nord)',
  Open__c: true,
  Due__c: '2026-12-20',
  Later__c: '2026-11-21T08:00:00.000+0000',
  Soon__c: '00:00:30.000Z',
  Mine__c: true,
}
const EMPTY = {
  Cost__c: 0,
  Strict__c: null,
  Net__c: 0,
  Share__c: 0,
  Ratio__c: null,
  Label__c: ': ',
  Open__c: false,
  Due__c: null,
  Later__c: null,
  Soon__c: null,
  Mine__c: true,
}
const NAMES = Object.keys(EXPECTED)

const pick = (record: Record<string, unknown>) =>
  Object.fromEntries(NAMES.map((name) => [name, record[name]]))

async function query(text: string) {
  const answer = await o.call('GET', `/query?q=${encodeURIComponent(text)}`)
  assert.equal(answer.status, 200, answer.text)
  return answer.body.records
}

test('a formula field is read through REST', async () => {
  assert.deepEqual(pick((await o.call('GET', `/sobjects/Job__c/${job}`)).body), EXPECTED)
  assert.deepEqual(pick((await o.call('GET', `/sobjects/Job__c/${empty}`)).body), EMPTY)
  const some = await o.call('GET', `/sobjects/Job__c/${job}?fields=Net__c,Label__c`)
  assert.deepEqual([some.body.Net__c, some.body.Label__c], [EXPECTED.Net__c, EXPECTED.Label__c])
})

test('a formula field is selected, also beside its parents and over them', async () => {
  const [record] = await query(
    `SELECT ${NAMES.join(', ')}, Client__r.Name, Client__r.Title__c, Client__r.OwnerName__c FROM Job__c WHERE Id = '${job}'`,
  )
  assert.deepEqual(pick(record), EXPECTED)
  assert.equal(record.Client__r.Title__c, 'Acme (Nord)')
  assert.equal(record.Client__r.OwnerName__c, 'Administrator')
  const [all] = await query(`SELECT FIELDS(ALL) FROM Job__c WHERE Id = '${job}' LIMIT 1`)
  assert.deepEqual(pick(all), EXPECTED)
  const [outer] = await query(`SELECT Title__c, (SELECT Net__c, Label__c FROM Jobs__r) FROM Client__c`)
  assert.deepEqual(
    outer.Jobs__r.records.map((one: Record<string, unknown>) => [one.Net__c, one.Label__c]),
    [[EXPECTED.Net__c, EXPECTED.Label__c]],
  )
})

test('a formula field filters and sorts by what it shows', async () => {
  const names = async (rest: string) =>
    (await query(`SELECT Name FROM Job__c ${rest}`)).map((one: { Name: string }) => one.Name)
  assert.deepEqual(await names('WHERE Net__c = 876.09'), ['Roof'])
  assert.deepEqual(await names('WHERE Share__c > 15'), ['Roof'])
  assert.deepEqual(await names("WHERE Label__c LIKE 'won: acme%'"), ['Roof'])
  assert.deepEqual(await names('WHERE Open__c = true'), ['Roof'])
  assert.deepEqual(await names('WHERE Open__c = false'), ['Empty'])
  assert.deepEqual(await names('WHERE Ratio__c = null'), ['Empty'])
  assert.deepEqual(await names('WHERE Due__c > 2026-12-01'), ['Roof'])
  assert.deepEqual(await names("WHERE Client__r.Title__c = 'ACME (NORD)'"), ['Roof'])
  assert.deepEqual(await names('ORDER BY Net__c DESC'), ['Roof', 'Empty'])
  assert.deepEqual(await names('ORDER BY Client__r.Title__c NULLS LAST'), ['Roof', 'Empty'])
  const [sum] = await query('SELECT SUM(Cost__c) total, MAX(Label__c) label FROM Job__c')
  assert.deepEqual([sum.total, sum.label], [1001.25, 'Won: Acme (Nord)'])
  const grouped = await o.call(
    'GET',
    `/query?q=${encodeURIComponent('SELECT Open__c FROM Job__c GROUP BY Open__c')}`,
  )
  assert.equal(grouped.status, 400)
  assert.match(grouped.body[0].message, /field 'Open__c' can not be grouped/)
})

test('a change of a parent shows at once, and the records are not changed', async () => {
  const readTime = async () => (await o.call('GET', `/sobjects/Job__c/${job}`)).body.SystemModstamp
  const modified = await readTime()
  await o.call('PATCH', `/sobjects/Client__c/${client}`, { body: { Discount__c: 50 } })
  const [record] = await query(`SELECT Net__c FROM Job__c WHERE Id = '${job}'`)
  assert.equal(record.Net__c, 500.63)
  assert.equal(await readTime(), modified)
  await o.call('PATCH', `/sobjects/Client__c/${client}`, { body: { Discount__c: 12.5 } })
})

test('GraphQL reads, filters and sorts by formula fields', async () => {
  const text = `query { uiapi { query { Job__c(where: { Net__c: { gt: 5 } }, orderBy: { Cost__c: { order: DESC } }) {
    edges { node { Net__c { value } Label__c { value } Open__c { value } Client__r { Title__c { value } } } } } } } }`
  const { body } = await o.call('POST', '/graphql', { body: { query: text } })
  assert.equal(body.errors?.length ?? 0, 0, JSON.stringify(body.errors))
  const [{ node }] = body.data.uiapi.query.Job__c.edges
  assert.deepEqual(
    [node.Net__c.value, node.Label__c.value, node.Open__c.value, node.Client__r.Title__c.value],
    [876.09, 'Won: Acme (Nord)', true, 'Acme (Nord)'],
  )
})

test('nobody writes a formula field', async () => {
  for (const [method, path] of [
    ['POST', '/sobjects/Job__c'],
    ['PATCH', `/sobjects/Job__c/${job}`],
  ] as const) {
    const { status, body } = await o.call(method, path, { body: { Cost__c: 5 } })
    assert.equal(status, 400)
    assert.equal(body[0].errorCode, 'INVALID_FIELD_FOR_INSERT_UPDATE')
    assert.match(body[0].message, /^Unable to create\/update fields: Cost__c\./)
  }
})

test('a describe tells the formula of a field', async () => {
  const { body } = await o.call('GET', '/sobjects/Job__c/describe')
  const find = (name: string) => body.fields.find((field: { name: string }) => field.name === name)
  const {
    calculated,
    calculatedFormula,
    createable,
    updateable,
    nillable,
    groupable,
    filterable,
    sortable,
    type,
  } = find('Cost__c')
  assert.deepEqual(
    {
      calculated,
      calculatedFormula,
      createable,
      updateable,
      nillable,
      groupable,
      filterable,
      sortable,
      type,
    },
    {
      calculated: true,
      calculatedFormula: 'Hours__c * Rate__c',
      createable: false,
      updateable: false,
      nillable: true,
      groupable: false,
      filterable: true,
      sortable: true,
      type: 'currency',
    },
  )
  assert.equal(find('Strict__c').formulaTreatNullNumberAsZero, false)
  assert.equal(find('Cost__c').formulaTreatNullNumberAsZero, true)
  assert.equal(find('Cost__c').defaultedOnCreate, false)
  assert.equal(find('Cost__c').permissionable, true)
  assert.deepEqual([find('Label__c').length, find('Label__c').type], [1300, 'string'])
  assert.equal(find('Open__c').defaultedOnCreate, false)
})

test('the index of an immutable formula serves its filter', async () => {
  const text = 'SELECT Id FROM Job__c WHERE Cost__c = 5'
  const { body } = await o.call('GET', `/query?explain=${encodeURIComponent(text)}`)
  assert.equal(body.plans.length > 0, true)
  const again = await fetchPlan(o, OBJECTS)
  assert.deepEqual(again, [])
})

test('the product of two integers may be larger than an integer', async () => {
  const other = await openOrg()
  const objects: Objects = {
    Square__c: {
      fields: { Count__c: { type: 'int' }, Area__c: { type: 'double', formula: 'Count__c * Count__c' } },
    },
  }
  assert.equal((await deploy(other, objects)).status, 200)
  const id = await other.create('Square__c', { Name: 'x', Count__c: 90_000_000 })
  const { body } = await other.call('GET', `/sobjects/Square__c/${id}`)
  assert.equal(body.Area__c, 8_100_000_000_000_000)
})

test('a number may have all of its digits after the point, and formulas and roll-ups take it', async () => {
  const other = await openOrg()
  const fraction = { type: 'double', precision: 18, scale: 18 } as const
  const objects: Objects = {
    Whole__c: {
      fields: {
        Least__c: {
          ...fraction,
          rollUp: { object: 'Part__c', reference: 'Whole__c', function: 'min', field: 'Size__c' },
        },
        All__c: {
          ...fraction,
          rollUp: { object: 'Part__c', reference: 'Whole__c', function: 'sum', field: 'Size__c' },
        },
      },
    },
    Part__c: {
      fields: {
        Whole__c: { type: 'reference', to: 'Whole__c', masterDetail: 0, children: 'Parts__r' },
        Size__c: fraction,
        Twice__c: { type: 'double', precision: 18, scale: 2, formula: 'Size__c * 2' },
      },
    },
  }
  assert.equal((await deploy(other, objects)).status, 200)
  const whole = await other.create('Whole__c', { Name: 'x' })
  const part = await other.create('Part__c', { Name: 'a', Whole__c: whole, Size__c: 0.5 })
  await other.create('Part__c', { Name: 'b', Whole__c: whole, Size__c: -0.25 })
  const { body } = await other.call('GET', `/sobjects/Part__c/${part}`)
  assert.deepEqual([body.Size__c, body.Twice__c], [0.5, 1])
  const above = await other.call('GET', `/sobjects/Whole__c/${whole}`)
  assert.deepEqual([above.body.Least__c, above.body.All__c], [-0.25, 0.25])
  const described = await other.call('GET', '/sobjects/Part__c/describe')
  const size = described.body.fields.find(({ name }: { name: string }) => name === 'Size__c')
  assert.deepEqual([size.precision, size.scale], [18, 18])
  const refused = await other.call('PATCH', `/sobjects/Part__c/${part}`, { body: { Size__c: 1 } })
  assert.deepEqual([refused.status, refused.body[0].errorCode], [400, 'NUMBER_OUTSIDE_VALID_RANGE'])
})

test('formulas read the one theme, and say that they have no addresses and no tokens', async () => {
  const other = await openOrg()
  const objects = (formula: string): Objects => ({
    Page__c: { fields: { Look__c: { type: 'string', formula } } },
  })
  const theme = "IF($User.UITheme = 'Theme4d', 'New', 'Old') & $user.uithemedisplayed"
  assert.equal((await deploy(other, objects(theme))).status, 200)
  const id = await other.create('Page__c', { Name: 'x' })
  const { body } = await other.call('GET', `/sobjects/Page__c/${id}`)
  assert.equal(body.Look__c, 'NewTheme4d')
  const [refusal] = await fetchRefusals(other, objects("'x' & $Api.Session_ID"))
  assert.match(
    refusal!,
    /Look__c\.formula:1:7: \$Api\.Session_ID is not supported: formulas have no addresses and no tokens\./,
  )
})

test('a formula that others refer to cannot go, and its error has a position', async () => {
  const { Cost__c: _, ...fields } = OBJECTS.Job__c!.fields!
  const [refusal] = await fetchRefusals(o, { ...OBJECTS, Job__c: { fields } }, { allowDestructive: true })
  assert.match(refusal!, /^objects\.Job__c\.fields\.Net__c\.formula:1:1: Field Cost__c does not exist/)
})

test('formulas that refer to each other in a circle are refused', async () => {
  const refusals = await fetchRefusals(o, {
    ...OBJECTS,
    Round__c: {
      fields: {
        A__c: { type: 'double', formula: 'B__c + 1' },
        B__c: { type: 'double', formula: 'C__c * 2' },
        C__c: { type: 'double', formula: '1 + A__c' },
        Name__c: { type: 'double', formula: 'A__c' },
      },
    },
  })
  assert.equal(refusals.length, 4)
  for (const refusal of refusals) assert.match(refusal, /directly or indirectly refers to itself/)
})
