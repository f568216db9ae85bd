import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { CHROMIUM_NEEDED } from '../support/chromium.ts'
import { type ConsoleClient, openConsoleClient } from '../support/console-client.ts'
import { deploy } from '../support/deploying.ts'

/** Values that a record may hold: markup, a formula, right-to-left text, emoji. */
const HOSTILE = [
  '<img src=x onerror=document.title="hit"><b>bold</b>',
  '=HYPERLINK("http://evil.example")',
  'שלום עולם',
  '👩‍👩‍👧 family',
  "'; DROP TABLE x --",
]

describe('Records in the console', CHROMIUM_NEEDED, () => {
  let client: ConsoleClient
  before(async () => {
    client = await openConsoleClient()
  })
  after(() => client?.close())

  test('a record is created, edited and deleted, as a user does it', async () => {
    const { page, open, assertQuiet } = await client.logIn()
    await open('/records/Account')
    await page.getByRole('link', { name: 'New' }).click()
    await page.getByLabel('Account Name').fill('Made here')
    await page.getByLabel('Employees').fill('12')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('heading', { level: 1, name: 'Made here' }).waitFor()
    await page.getByRole('button', { name: 'Edit' }).click()
    await page.getByLabel('Account Name').fill('Changed here')
    await page.keyboard.press('Control+s')
    await page.getByRole('heading', { level: 1, name: 'Changed here' }).waitFor()
    await page.getByRole('button', { name: 'Delete…' }).click()
    await page.getByRole('button', { name: 'Delete', exact: true }).click()
    await page.waitForURL(/\/console\/records\/Account$/)
    const { body } = await client.o.call(
      'GET',
      "/queryAll?q=SELECT+NumberOfEmployees,IsDeleted+FROM+Account+WHERE+Name='Changed+here'",
    )
    assert.deepEqual([body.records[0].NumberOfEmployees, body.records[0].IsDeleted], [12, true])
    await page.getByRole('button', { name: 'Undelete' }).click()
    await page.getByText('1 brought back').waitFor()
    await page.getByRole('link', { name: 'Changed here' }).waitFor()
    assertQuiet()
  })

  test('a document that is edited stays one', async () => {
    const deployed = await deploy(client.o, { Theme__c: { fields: { Settings__c: { type: 'json' } } } })
    assert.equal(deployed.status, 200, deployed.text)
    const id = await client.o.create('Theme__c', { Name: 'Dark', Settings__c: { theme: 'dark' } })
    const { page, open, assertQuiet } = await client.logIn()
    await open(`/records/Theme__c/${id}`)
    await page.getByText('{"theme":"dark"}').first().waitFor()
    await page.getByRole('button', { name: 'Edit' }).click()
    await page.getByLabel('Settings').fill('{"theme": "light", "sizes": [1, 2]}')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Saved.').waitFor()
    const { body } = await client.o.call('GET', `/sobjects/Theme__c/${id}?fields=Settings__c`)
    assert.deepEqual(body.Settings__c, { theme: 'light', sizes: [1, 2] })
    assertQuiet()
  })

  test('a refused field says so at its place, and what was typed stays', async () => {
    const { page, open } = await client.logIn()
    await open('/records/Contact/new')
    await page.getByLabel('First Name').fill('Ada')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Required fields are missing: [LastName]').first().waitFor()
    assert.equal(await page.getByText('Required fields are missing: [LastName]').count(), 2)
    assert.equal(await page.getByLabel('Last Name').getAttribute('aria-invalid'), 'true')
    assert.equal(await page.getByLabel('First Name').inputValue(), 'Ada')
  })

  test('two people who edit one record are told of each other', async () => {
    const id = await client.o.create('Account', { Name: 'Shared', Phone: '1' })
    const { page, open } = await client.logIn()
    await open(`/records/Account/${id}`)
    await page.getByRole('button', { name: 'Edit' }).click()
    await page.getByLabel('Account Phone').fill('2')
    await client.o.call('PATCH', `/sobjects/Account/${id}`, { body: { Phone: '3' } })
    await page.getByRole('button', { name: 'Save' }).click()
    await page
      .getByRole('alert')
      .getByText(/Phone was changed to “3”, and you have “2”/)
      .waitFor()
    assert.equal((await client.o.call('GET', `/sobjects/Account/${id}?fields=Phone`)).body.Phone, '3')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Saved.').waitFor()
    assert.equal((await client.o.call('GET', `/sobjects/Account/${id}?fields=Phone`)).body.Phone, '2')
  })

  test('a form asks for what its references lead to when one is opened, and shows names', async () => {
    const account = await client.o.create('Account', { Name: 'Parent of a form' })
    await client.o.create('Account', { Name: 'Another parent' })
    const id = await client.o.create('Contact', { LastName: 'Child of a form', AccountId: account })
    const { page, open, assertQuiet } = await client.logIn()
    await open(`/records/Contact/${id}`)
    await page.getByRole('link', { name: 'Parent of a form' }).waitFor()
    const asked: string[] = []
    page.on('request', (request) => {
      if (request.url().includes('/services/data/')) asked.push(request.url())
    })
    await page.getByRole('button', { name: 'Edit' }).click()
    const input = page
      .getByRole('combobox', { name: 'Account Name' })
      .or(page.getByRole('combobox', { name: 'Account ID' }))
    await input.waitFor()
    await page.waitForTimeout(500)
    assert.equal(asked.length, 0, asked.join('\n'))
    assert.equal(await input.inputValue(), 'Parent of a form')
    await input.fill('Another')
    await page.getByRole('option', { name: 'Another parent' }).click()
    assert.equal(await input.inputValue(), 'Another parent')
    assert.ok(
      asked.every((one) => one.includes('FROM+Account')),
      asked.join('\n'),
    )
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('link', { name: 'Another parent' }).waitFor()
    assertQuiet()
  })

  test('a form takes two calls, and what is known of its object is not asked for again', async () => {
    const { page, open, assertQuiet } = await client.logIn()
    await open('/records')
    await page.getByRole('link', { name: /^Accounts/ }).waitFor()
    const asked: string[] = []
    page.on('request', (request) => {
      const { pathname } = new URL(request.url())
      if (pathname.startsWith('/services/data/')) asked.push(pathname.replace(/^.*v\d+\.\d/, ''))
    })
    await page.keyboard.press('Control+k')
    await page.getByLabel('Search or go to').last().fill('new opportunity')
    await page.keyboard.press('Enter')
    await page.getByLabel('Amount').waitFor()
    await page.waitForTimeout(500)
    const form = asked.filter((path) => !path.includes('earch'))
    assert.deepEqual(form, ['/composite', '/sobjects/Opportunity/defaultValues'])
    asked.length = 0
    await page.reload()
    await page.getByLabel('Amount').waitFor()
    await page.waitForTimeout(500)
    // One answer, that nothing has changed, stands for all.
    const metadata = asked.filter((path) => /describe|composite|\/sobjects$/.test(path))
    assert.equal(metadata.length, 1, metadata.join())
    // A change of the schema is seen.
    const { status, text } = await deploy(client.o, {
      Theme__c: { fields: { Settings__c: { type: 'json' } } },
      Fresh__c: { label: 'Fresh', labelPlural: 'Fresh ones' },
    })
    assert.equal(status, 200, text)
    await open('/records')
    await page.getByRole('link', { name: /^Fresh ones/ }).waitFor()
    assertQuiet()
  })

  test('a form that was left comes back as it was typed', async () => {
    const id = await client.o.create('Account', { Name: 'Left' })
    const { page, open } = await client.logIn()
    await open(`/records/Account/${id}`)
    await page.getByRole('button', { name: 'Edit' }).click()
    await page.getByLabel('Account Phone').fill('555')
    await page.waitForTimeout(200)
    await page.reload()
    await page.getByRole('button', { name: 'Edit' }).click()
    await page.getByText(/What you typed at .* is here again/).waitFor()
    assert.equal(await page.getByLabel('Account Phone').inputValue(), '555')
  })

  test('what records hold is text, wherever it is shown', async () => {
    const long = 'x'.repeat(30_000)
    for (const Name of HOSTILE) await client.o.create('Account', { Name, Description: long, Site: 'hostile' })
    const { page, open, assertQuiet } = await client.logIn()
    await open(`/records/Account?${new URLSearchParams({ where: "Site = 'hostile'" })}`)
    for (const name of HOSTILE) await page.getByText(name, { exact: true }).waitFor()
    await page.getByText(HOSTILE[0]!, { exact: true }).click()
    await page.getByRole('heading', { level: 1, name: HOSTILE[0]! }).waitFor()
    await page.getByRole('tab', { name: 'All fields' }).click()
    await open(
      `/query?${new URLSearchParams({ q: "SELECT Name, Description FROM Account WHERE Site = 'hostile'" })}`,
    )
    await page.getByRole('button', { name: 'Run' }).click()
    await page.getByRole('gridcell', { name: HOSTILE[0]!, exact: true }).waitFor()
    const cells = await page.getByRole('gridcell').allInnerTexts()
    assert.ok(cells.every((cell) => cell.length <= 256))
    await page.keyboard.press('Control+k')
    await page.getByLabel('Search or go to').last().fill('family')
    await page.getByText(HOSTILE[3]!).last().waitFor()
    assert.equal(await page.locator('img[src="x"]').count(), 0)
    assert.doesNotMatch(await page.title(), /^hit/)
    assertQuiet()
  })

  test('values of an address are texts: a name of digits filters, and stays in the address', async () => {
    for (const Name of ['Number 123', 'Number 456', 'true']) await client.o.create('Account', { Name })
    const { page, open, assertQuiet } = await client.logIn()
    for (const [name, found] of [
      ['123', 'Number 123'],
      ['true', 'true'],
      ['[1]', undefined],
    ] as const) {
      await open(`/records/Account?${new URLSearchParams({ name })}`)
      assert.equal(await page.getByLabel('Name', { exact: true }).inputValue(), name)
      if (found === undefined) await page.getByText('None meets the conditions.').waitFor()
      else await page.getByText('1 record, read at').waitFor()
      if (found !== undefined) await page.getByRole('link', { name: found, exact: true }).waitFor()
      assert.equal(new URL(page.url()).searchParams.get('name'), name)
    }
    await page.getByLabel('Name', { exact: true }).fill('456')
    await page.getByRole('link', { name: 'Number 456' }).waitFor()
    assert.equal(new URL(page.url()).searchParams.get('name'), '456')
    await page.reload()
    await page.getByRole('link', { name: 'Number 456' }).waitFor()
    assertQuiet()
  })

  test('files and who may see a record are on its page', async () => {
    const id = await client.o.create('Account', { Name: 'With files' })
    const { page, open, assertQuiet } = await client.logIn()
    await open(`/records/Account/${id}?tab=files`)
    await page
      .locator('input[type=file]')
      .setInputFiles({ name: 'note.txt', mimeType: 'text/plain', buffer: Buffer.from('hello') })
    await page.getByRole('cell', { name: 'note.txt', exact: true }).waitFor()
    await page.getByRole('tab', { name: 'Access' }).click()
    await page.getByText('Administrator has ModifyAllData').first().waitFor()
    assertQuiet()
  })

  test('a file that is uploaded while the files of a record are read is shown', async () => {
    const id = await client.o.create('Account', { Name: 'With a file' })
    const { page, open, assertQuiet } = await client.logIn()
    const uploaded = Promise.withResolvers<void>()
    let asked = 0
    // The first answer is of before the upload, and comes after it.
    await page.route(/ContentDocumentLink/, async (route) => {
      if (++asked > 1) return route.continue()
      await uploaded.promise
      await route.fulfill({ json: { totalSize: 0, done: true, records: [] } }).catch(() => {})
    })
    page.on('response', (response) => {
      if (response.url().endsWith('/sobjects/ContentVersion')) setTimeout(uploaded.resolve, 500)
    })
    await open(`/records/Account/${id}?tab=files`)
    await page
      .locator('input[type=file]')
      .setInputFiles({ name: 'early.txt', mimeType: 'text/plain', buffer: Buffer.from('hello') })
    await page.getByRole('cell', { name: 'early.txt', exact: true }).waitFor()
    assertQuiet()
  })

  test('the columns of a list are chosen, remembered for the user, and those of the view again', async () => {
    await client.o.create('Account', { Name: 'With columns', NumberOfEmployees: 77, Site: 'columns' })
    const { page, open, assertQuiet } = await client.logIn()
    const address = `/records/Account?${new URLSearchParams({ where: "Site = 'columns'" })}`
    await open(address)
    const heads = page.getByRole('grid').getByRole('columnheader')
    await heads.nth(1).waitFor()
    const before = await heads.allInnerTexts()
    await page.getByRole('button', { name: 'Columns' }).click()
    await page.getByLabel('Find a field', { exact: true }).fill('employees')
    await page.getByLabel('Employees', { exact: true }).check()
    await page.getByRole('button', { name: /^Show \d/ }).click()
    await page.getByRole('gridcell', { name: '77', exact: true }).waitFor()
    await open(address)
    await page.getByRole('gridcell', { name: '77', exact: true }).waitFor()
    const { body } = await client.o.call('GET', '/preferences/columns.account')
    assert.equal(body.fields.at(-1), 'NumberOfEmployees')
    await page.getByRole('button', { name: 'Columns' }).click()
    await page.getByRole('button', { name: 'As the view' }).click()
    await page.getByRole('gridcell', { name: '77', exact: true }).waitFor({ state: 'detached' })
    await page.getByRole('gridcell', { name: 'With columns' }).waitFor()
    assert.deepEqual(await heads.allInnerTexts(), before)
    assertQuiet()
  })

  test('selected records are deleted after a question that names them', async () => {
    for (const Name of ['First', 'Second', 'Third']) await client.o.create('Account', { Name, Site: 'many' })
    const { page, open } = await client.logIn()
    await open(`/records/Account?${new URLSearchParams({ where: "Site = 'many'" })}`)
    await page.getByLabel('Select row 1').check()
    await page.getByLabel('Select row 2').check()
    await page.getByRole('button', { name: 'Delete 2…' }).click()
    await page.getByRole('button', { name: 'Delete 2 Account records' }).click()
    await page.getByText('1 record, read at').waitFor()
    const { body } = await client.o.call('GET', "/query?q=SELECT+Name+FROM+Account+WHERE+Site='many'")
    assert.deepEqual(
      body.records.map(({ Name }: { Name: string }) => Name),
      ['Third'],
    )
  })
})
