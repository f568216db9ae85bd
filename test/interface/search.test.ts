import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { assertRefused } from '../support/assert-refused.ts'
import { deploy } from '../support/deploying.ts'
import { type Answer, openOrg, type TestOrg } from '../support/org.ts'
import { PROJECT_SCHEMA } from '../support/project-schema.ts'

let o: TestOrg
const ids: Record<string, string> = {}

const find = (text: string, version = 64): Promise<Answer> =>
  o.call('GET', `/services/data/v${version}.0/search?q=${encodeURIComponent(text)}`)

async function found(text: string): Promise<Record<string, unknown>[]> {
  const { status, body, text: sent } = await find(text)
  assert.equal(status, 200, sent)
  return body.searchRecords
}

/** Names of the accounts that a search text finds, in the order in which they come. */
async function accounts(words: string, group = 'ALL'): Promise<unknown[]> {
  const records = await found(`FIND {${words}} IN ${group} FIELDS RETURNING Account(Name)`)
  return records.map(({ Name }) => Name)
}

before(async () => {
  o = await openOrg()
  await o.deploy(PROJECT_SCHEMA)
  const create = async (key: string, object: string, fields: Record<string, unknown>) => {
    ids[key] = await o.create(object, fields)
  }
  await create('acme', 'Account', { Name: 'Acme', Phone: '(415) 555-1212', BillingCity: 'Oslo' })
  await create('acmeCorp', 'Account', { Name: 'Acme Corp', Description: 'Rockets and anvils, 50% off' })
  await create('corpAcme', 'Account', {
    Name: 'The Corp of Acme',
    Website: 'https://www.corp-acme.example/shop',
  })
  await create('acmeology', 'Account', { Name: 'Acmeology' })
  await create('oslo', 'Account', { Name: 'Oslo Trading', Description: 'An Acme reseller' })
  await create('att', 'Account', { Name: 'AT&T' })
  await create('zurich', 'Account', {
    Name: 'Zürich Straße 日本語',
    Description: 'a < b, ada <ada@example.com>',
  })
  await create('ada', 'Contact', {
    FirstName: 'Ada',
    LastName: 'King',
    Email: 'ada.king@acme.example',
    AccountId: ids.acme,
  })
  await create('bob', 'Contact', { FirstName: 'Bob', LastName: 'Oslo', Phone: '+47 22 33 44 55' })
  await create('project', 'Project__c', {
    Name: 'Engine',
    Summary__c: '<p class="lead">Steam <b>power</b></p>',
    Notes__c: 'punched cards',
  })
})

describe('a search', () => {
  test('finds records of all objects that have the word, as ids', async () => {
    const records = await found('FIND {oslo}')
    assert.deepEqual(records.map(({ Id }) => Id).sort(), [ids.acme, ids.oslo, ids.bob].sort())
    const contact = records.find(({ Id }) => Id === ids.bob)
    assert.deepEqual(contact, {
      attributes: { type: 'Contact', url: `/services/data/v64.0/sobjects/Contact/${ids.bob}` },
      Id: ids.bob,
    })
  })

  test('compares whole words without case, outside ASCII too', async () => {
    assert.deepEqual(await accounts('aCMEology'), ['Acmeology'])
    assert.deepEqual(await accounts('acm'), [])
    assert.deepEqual(await accounts('zÜRICH'), ['Zürich Straße 日本語'])
    assert.deepEqual(await accounts('日本語'), ['Zürich Straße 日本語'])
  })

  test('shows the record that is named so first, then names that start so', async () => {
    assert.deepEqual(await accounts('Acme'), ['Acme', 'Acme Corp', 'The Corp of Acme', 'Oslo Trading'])
  })

  test('wants all of several words, in any order', async () => {
    assert.deepEqual(await accounts('corp acme'), ['Acme Corp', 'The Corp of Acme'])
    assert.deepEqual(await accounts('acme AND corp'), ['Acme Corp', 'The Corp of Acme'])
    assert.deepEqual(await accounts('acme rockets'), ['Acme Corp'])
  })

  test('wants the words of a phrase next to each other', async () => {
    assert.deepEqual(await accounts('"acme corp"'), ['Acme Corp'])
    assert.deepEqual(await accounts('"corp of acme"'), ['The Corp of Acme'])
  })

  test('takes a word with marks inside for a phrase', async () => {
    assert.deepEqual(await accounts('AT\\&T'), ['AT&T'])
    assert.deepEqual(await accounts('corp\\-acme.example'), ['The Corp of Acme'])
    assert.deepEqual(await accounts('example\\-corp'), [])
  })

  test('wants a backslash before reserved characters outside of a phrase, unless the setting is lenient', async () => {
    const lenient = await openOrg({ settings: { lenient: 'true' } })
    for (const character of "-&|![]^~:'+{") {
      const words = encodeURIComponent(`FIND {ac${character}me}`)
      assertRefused(
        await o.call('GET', `/search?q=${words}`),
        400,
        'MALFORMED_SEARCH',
        new RegExp(`mismatched character '\\${character}' expecting '}'$`),
      )
      assert.equal((await lenient.call('GET', `/search?q=${words}`)).status, 200, character)
      for (const escaped of [`ac\\${character}me`, `"ac${character}me"`]) assert.ok(await accounts(escaped))
    }
  })

  test('knows AND, OR, AND NOT and parentheses, without case', async () => {
    assert.deepEqual(await accounts('acmeology or rockets'), ['Acme Corp', 'Acmeology'])
    assert.deepEqual(await accounts('acme AND NOT corp'), ['Acme', 'Oslo Trading'])
    assert.deepEqual(await accounts('acme and (rockets OR reseller)'), ['Acme Corp', 'Oslo Trading'])
    assert.deepEqual(await accounts('reseller OR acme AND rockets'), ['Acme Corp', 'Oslo Trading'])
    assert.deepEqual(await accounts('acme AND NOT (corp OR reseller)'), ['Acme'])
  })

  test('takes * for any characters and ? for one', async () => {
    assert.deepEqual(await accounts('acmeo*'), ['Acmeology'])
    assert.deepEqual(await accounts('acm*'), [
      'Acme',
      'Acme Corp',
      'Acmeology',
      'The Corp of Acme',
      'Oslo Trading',
    ])
    assert.deepEqual(await accounts('a?me AND NOT corp'), ['Acme', 'Oslo Trading'])
    assert.deepEqual(await accounts('ac*gy'), ['Acmeology'])
    assert.deepEqual(await accounts('acme?'), [])
    assert.deepEqual(await accounts('acme AND NOT r*s'), ['Acme', 'The Corp of Acme', 'Oslo Trading'])
  })

  test('takes a character after a backslash as it is', async () => {
    assert.deepEqual(await accounts('acmeo\\*'), [])
    assert.deepEqual(await accounts('AT\\&T'), ['AT&T'])
    assert.deepEqual(await accounts('acme\\} rockets'), ['Acme Corp'])
  })

  test('finds a number however it is written', async () => {
    assert.deepEqual(await accounts('4155551212'), ['Acme'])
    assert.deepEqual(await accounts('"415 555-1212"'), ['Acme'])
    assert.deepEqual(await accounts('555\\-1212'), ['Acme'])
  })

  test('finds words of rich text but not its tags, and words between angles in plain text', async () => {
    const projects = async (words: string) =>
      (await found(`FIND {${words}} RETURNING Project__c`)).map(({ Id }) => Id)
    assert.deepEqual(await projects('steam power'), [ids.project])
    assert.deepEqual(await projects('class'), [])
    assert.deepEqual(await projects('"punched cards"'), [ids.project])
    assert.deepEqual(await accounts('ada example'), ['Zürich Straße 日本語'])
  })

  test('looks at the named group of fields only', async () => {
    assert.deepEqual(await accounts('acme', 'NAME'), ['Acme', 'Acme Corp', 'The Corp of Acme'])
    assert.deepEqual(await accounts('reseller', 'NAME'), [])
    assert.deepEqual(await accounts('555', 'PHONE'), ['Acme'])
    assert.deepEqual(await accounts('555', 'EMAIL'), [])
    assert.deepEqual(await accounts('a?me AND NOT corp', 'NAME'), ['Acme'])
    assert.deepEqual(await accounts('ros?ets OR acmeology', 'SIDEBAR'), ['Acmeology'])
    const byEmail = await found('FIND {king@acme} IN EMAIL FIELDS RETURNING Contact(Name)')
    assert.deepEqual(
      byEmail.map(({ Name }) => Name),
      ['Ada King'],
    )
  })

  test('finds what was changed, and not what was deleted', async () => {
    const id = await o.create('Account', { Name: 'Fleeting' })
    assert.equal((await found('FIND {fleeting}')).length, 1)
    await o.call('PATCH', `/sobjects/Account/${id}`, { body: { Name: 'Lasting' } })
    assert.deepEqual(await found('FIND {fleeting}'), [])
    assert.equal((await found('FIND {lasting}')).length, 1)
    await o.call('DELETE', `/sobjects/Account/${id}`)
    assert.deepEqual(await found('FIND {lasting}'), [])
  })

  test('finds the words of a field that was added later', async () => {
    const [account] = PROJECT_SCHEMA.filter(({ name }) => name === 'Account')
    assert.equal(account, undefined)
    await o.deploy([
      {
        name: 'Milestone__c',
        label: 'Milestone',
        labelPlural: 'Milestones',
        keyPrefix: '',
        fields: [{ name: 'Motto__c', label: 'Motto', type: 'string', length: 80 }],
      },
    ])
    const id = await o.create('Milestone__c', { Project__c: ids.project, Motto__c: 'Excelsior' })
    assert.deepEqual(
      (await found('FIND {excelsior}')).map(({ Id }) => Id),
      [id],
    )
  })
})

describe('RETURNING', () => {
  test('names fields, parents, conditions, order and limit of each object', async () => {
    const records = await found(
      "FIND {acme OR king} RETURNING Contact(Name, Account.Name), Account(Name WHERE Name LIKE '%corp%' ORDER BY Name DESC LIMIT 1)",
    )
    assert.deepEqual(records, [
      {
        attributes: { type: 'Contact', url: `/services/data/v64.0/sobjects/Contact/${ids.ada}` },
        Name: 'Ada King',
        Account: {
          attributes: { type: 'Account', url: `/services/data/v64.0/sobjects/Account/${ids.acme}` },
          Name: 'Acme',
        },
      },
      {
        attributes: { type: 'Account', url: `/services/data/v64.0/sobjects/Account/${ids.corpAcme}` },
        Name: 'The Corp of Acme',
      },
    ])
  })

  test('skips what OFFSET says', async () => {
    const records = await found('FIND {acme} RETURNING Account(Name ORDER BY Name LIMIT 2 OFFSET 1)')
    assert.deepEqual(
      records.map(({ Name }) => Name),
      ['Acme Corp', 'Oslo Trading'],
    )
  })

  test('shares a limit over all evenly among the objects', async () => {
    const records = await found('FIND {acme OR oslo OR king} RETURNING Account, Contact LIMIT 4')
    const types = records.map(({ attributes }) => (attributes as { type: string }).type)
    assert.deepEqual(types, ['Account', 'Account', 'Contact', 'Contact'])
    const max = await found('FIND {acme OR king} RETURNING Account, Contact(Id LIMIT 1) LIMIT 4')
    assert.deepEqual(
      max.map(({ attributes }) => (attributes as { type: string }).type),
      ['Account', 'Account', 'Account', 'Contact'],
    )
    assert.deepEqual(await found('FIND {acme} LIMIT 0'), [])
  })

  test('adds the labels of fields where they are asked for', async () => {
    const { body } = await find("FIND {acmeology} RETURNING Account(Name, Phone) WITH METADATA = 'LABELS'")
    assert.deepEqual(body.metadata, {
      entityMetadata: [
        {
          entityName: 'Account',
          fieldMetadata: [
            { name: 'Name', label: 'Account Name' },
            { name: 'Phone', label: 'Account Phone' },
          ],
        },
      ],
    })
  })
})

test('Before version 37.0 the records come without an envelope', async () => {
  const { body } = await find('FIND {acmeology}', 36)
  assert.equal(body.length, 1)
  assert.equal(body[0].Id, ids.acmeology)
})

describe('a search that is not written right', () => {
  for (const [text, message] of [
    ['', 'A search string has to be specified'],
    ['acme', /No search term found\. The search term must be enclosed in braces\.$/],
    ['FIND {acme', /No search term found/],
    ['FIND {}', /search term must be longer than one character: $/],
    ['FIND {a}', /search term must be longer than one character: a$/],
    ['FIND {*cme}', /A wildcard may not start a word$/],
    ['FIND {acme OR}', /unexpected token: <EOF>$/],
    ['FIND {OR acme}', /unexpected token: 'O'$/],
    ['FIND {(acme}', /unexpected token: <EOF>$/],
    ['FIND {acme)}', /unexpected token: '\)'$/],
    ['FIND {"acme}', /unexpected token: "$/],
    ['FIND {NOT acme}', /unexpected token: 'N'$/],
    [`FIND {${'('.repeat(200)}acme${')'.repeat(200)}}`, /unexpected token: '\('$/],
    ['FIND {acme} IN TITLE FIELDS', "unexpected token: 'TITLE'"],
    ['FIND {acme} IN NAME', 'unexpected token: <EOF>'],
    ['FIND {acme} RETURNING', 'unexpected token: <EOF>'],
    ['FIND {acme} RETURNING Account(', 'unexpected token: <EOF>'],
    ['FIND {acme} RETURNING Account()', "unexpected token: ')'"],
    ['FIND {acme} RETURNING Account(COUNT(Id))', /RETURNING takes fields, not aggregate functions$/],
    ['FIND {acme} RETURNING Account(Id LIMIT -1)', "unexpected token: '-1'"],
    ['FIND {acme} WITH DATA CATEGORY Geography__c AT usa__c', /Data categories are not enabled/],
    ['FIND {acme} LIMIT x', "unexpected token: 'x'"],
    ['FIND {acme} LIMIT 5 nonsense', "unexpected token: 'nonsense'"],
    ["FIND {acme} RETURNING Account(Id WHERE Name = 'x)", /mismatched character '<EOF>'/],
  ] as const) {
    test(`is MALFORMED_SEARCH: ${text.slice(0, 60)}`, async () => {
      assertRefused(await find(text), 400, 'MALFORMED_SEARCH', message)
    })
  }

  test('shows the place in its text', async () => {
    const { body } = await find('FIND {acme AND} RETURNING Account')
    assert.equal(
      body[0].message,
      '\n{acme AND} RETURNING Account\n         ^\nERROR at Row:1:Column:15\nunexpected token: <EOF>',
    )
  })

  test('of returned fields is refused as a query would be', async () => {
    assertRefused(await find('FIND {acme} RETURNING Nope'), 400, 'INVALID_TYPE', /'Nope' is not supported/)
    assertRefused(
      await find('FIND {acme} RETURNING Account(Nope)'),
      400,
      'INVALID_FIELD',
      /No such column 'Nope'/,
    )
    assertRefused(
      await find('FIND {acme} RETURNING CampaignMember'),
      400,
      'INVALID_TYPE',
      'entity type CampaignMember does not support search',
    )
  })
})

describe('a search by parameters', () => {
  const byBody = (body: unknown) => o.call('POST', '/parameterizedSearch', { body })

  test('in the address gives the same records', async () => {
    const { status, body } = await o.call(
      'GET',
      `/parameterizedSearch?q=acme&sobject=Account&Account.fields=id,name&Account.limit=1&Account.where=${encodeURIComponent("Name LIKE '%corp%'")}&sobject=Contact`,
    )
    assert.equal(status, 200)
    assert.deepEqual(
      body.searchRecords.map(({ attributes, ...fields }: Record<string, unknown>) => fields),
      [{ Id: ids.acmeCorp, Name: 'Acme Corp' }, { Id: ids.ada }],
    )
  })

  test('in a body too', async () => {
    const { status, body } = await byBody({
      q: 'acme',
      fields: ['Id', 'Name'],
      sobjects: [
        { name: 'Account', limit: 2, where: "Name LIKE '%acme%'", orderBy: 'Name DESC' },
        { name: 'Contact', fields: ['LastName', 'toLabel(Salutation)'] },
      ],
      in: 'ALL',
      overallLimit: 100,
      defaultLimit: 10,
      metadata: 'LABELS',
      spellCorrection: true,
    })
    assert.equal(status, 200)
    assert.deepEqual(
      body.searchRecords.map(({ attributes, ...fields }: Record<string, unknown>) => fields),
      [
        { Id: ids.corpAcme, Name: 'The Corp of Acme' },
        { Id: ids.acmeCorp, Name: 'Acme Corp' },
        { LastName: 'King', Salutation: null },
      ],
    )
    assert.equal(body.metadata.entityMetadata.length, 2)
  })

  test('without objects searches all, within its limits', async () => {
    const { body } = await o.call('GET', '/parameterizedSearch?q=acme+OR+oslo&overallLimit=3')
    assert.equal(body.searchRecords.length, 3)
  })

  test('is refused when it is not written right', async () => {
    const malformed = (answer: Answer, message: string | RegExp) =>
      assertRefused(answer, 400, 'MALFORMED_SEARCH', message)
    malformed(await o.call('GET', '/parameterizedSearch'), /A search string has to be specified/)
    malformed(await byBody({}), /A search string has to be specified/)
    malformed(await byBody({ q: 'acme', sobjects: [{ name: 'Account) LIMIT 1' }] }), "unexpected token: ')'")
    malformed(
      await byBody({ q: 'acme', sobjects: [{ name: 'Account', fields: ['Id LIMIT 1'] }] }),
      /unexpected/,
    )
    malformed(
      await byBody({ q: 'acme', sobjects: [{ name: 'Account', where: 'Id != null LIMIT 1' }] }),
      "unexpected token: 'LIMIT'",
    )
    assertRefused(
      await o.call('GET', '/parameterizedSearch?q=acme&overallLimit=many'),
      400,
      'ILLEGAL_QUERY_PARAMETER_VALUE',
      'Value for parameter overallLimit is invalid: many',
    )
    assertRefused(
      await byBody({ q: 'acme', in: 'TITLE' }),
      400,
      'ILLEGAL_QUERY_PARAMETER_VALUE',
      'in takes one of ALL, NAME, EMAIL, PHONE, SIDEBAR, not TITLE',
    )
    assertRefused(
      await byBody({ q: 5 }),
      400,
      'JSON_PARSER_ERROR',
      /instance of string from VALUE_NUMBER_INT/,
    )
    assertRefused(await byBody([]), 400, 'JSON_PARSER_ERROR', /instance of object from START_ARRAY/)
    assertRefused(
      await byBody({ query: 'acme' }),
      400,
      'JSON_PARSER_ERROR',
      /Unrecognized field "query" at \[line:1, column:/,
    )
    assertRefused(
      await byBody({ q: 'acme', sobjects: [{ name: 'Account', limit: -1 }] }),
      400,
      'JSON_PARSER_ERROR',
      /instance of int/,
    )
  })
})

describe('words with accents', () => {
  const WORDS = [
    ['Zürich', 'zurich'],
    ['STRASSE', 'Straße'],
    ['Møller', 'moller'],
    ['Łódź', 'LODZ'],
    ['Đặng', 'dang'],
    ['Æsir', 'aesir'],
    ['Crème', 'creme'],
    // The accent as a character of its own, as some keyboards and file names have it.
    ['Cafe\u0301', 'café'],
  ] as const

  before(async () => {
    for (const [index, [word, other]] of WORDS.entries()) {
      await o.create('Account', { Name: `${word} accented${index}` })
      await o.create('Account', { Name: `${other} accented${index}` })
    }
    await o.create('Account', { Name: 'が 한글 й accentless' })
    await o.create('Account', { Name: 'か 하늘 и accentless' })
  })

  for (const [index, words] of WORDS.entries()) {
    for (const word of words) {
      test(`${word} finds itself and the other spelling, in a search and by parameters (Meilisearch, Algolia)`, async () => {
        assert.equal((await accounts(`${word} AND accented${index}`)).length, 2)
        const { body } = await o.call('POST', '/parameterizedSearch', {
          body: { q: `${word} accented${index}`, sobjects: [{ name: 'Account' }] },
        })
        assert.equal(body.searchRecords.length, 2)
        assert.equal((await accounts(`${word.slice(0, 3)}* AND accented${index}`)).length, 2)
      })
    }
  }

  test('with a wildcard inside find both spellings', async () => {
    assert.equal((await accounts('z?rich AND accented0')).length, 2)
    assert.equal((await accounts('crè*e AND accented6')).length, 2)
  })

  test('come first where the name is the text, whatever its accents', async () => {
    await o.create('Account', { Name: 'An Ångström' })
    await o.create('Account', { Name: 'Ångström' })
    assert.deepEqual(await accounts('angstrom'), ['Ångström', 'An Ångström'])
  })

  test('of other scripts are different words', async () => {
    assert.deepEqual(await accounts('が AND accentless'), ['が 한글 й accentless'])
    assert.deepEqual(await accounts('й AND accentless'), ['が 한글 й accentless'])
    assert.deepEqual(await accounts('하늘 AND accentless'), ['か 하늘 и accentless'])
  })
})

describe('RETURNING', () => {
  test('gives functions their aliases', async () => {
    const [record] = await found(
      'FIND {rockets} RETURNING Account(Name, FORMAT(CreatedDate) made, toLabel(Industry) trade LIMIT 1)',
    )
    const { attributes: _, ...fields } = record!
    assert.deepEqual(Object.keys(fields), ['Name', 'made', 'trade'])
  })

  test('restricts records to those of a list view', async () => {
    const listViews = { InOslo: { where: "BillingCity = 'Oslo'" } }
    const deployed = await deploy(o, { Account: { listViews } }, { mode: 'keep' })
    assert.equal(deployed.status, 200, deployed.text)
    const names = async (using: string, more = '') => {
      const records = await found(`FIND {acme OR oslo} RETURNING Account(Name ${using}${more})`)
      return records.map(({ Name }) => Name)
    }
    assert.deepEqual(await names('USING ListView = InOslo'), ['Acme'])
    assert.deepEqual(await names("WHERE Name LIKE 'Acme%' ", 'using listview=inoslo LIMIT 5'), ['Acme'])
    assert.deepEqual(await names("USING ListView = InOslo WHERE Name = 'Acmeology'"), [])
    const mine = await names('USING ListView = MyAccounts')
    assert.ok(mine.length > 1)
    await o.call('GET', `/sobjects/Account/${ids.corpAcme}`, { headers: { 'svc-mru': 'updateMru=true' } })
    assert.deepEqual(await names('USING ListView = Recent'), ['The Corp of Acme'])
  })

  test('names a list view that the object has', async () => {
    assertRefused(
      await find('FIND {acme} RETURNING Account(Id USING ListView = Nothing)'),
      400,
      'MALFORMED_SEARCH',
      /Account has no list view 'Nothing'/,
    )
  })
})

describe('WITH', () => {
  test('USER_MODE and SYSTEM_MODE change nothing', async () => {
    const plain = await found('FIND {acme} RETURNING Account(Name)')
    for (const mode of ['USER_MODE', 'SYSTEM_MODE', 'user_mode']) {
      assert.deepEqual(await found(`FIND {acme} RETURNING Account(Name) WITH ${mode} LIMIT 2000`), plain)
    }
  })

  test('cannot restrict by divisions or data categories, which no org has', async () => {
    const clauses = [
      ["DIVISION = 'North'", /Divisions are not enabled/],
      ['DATA CATEGORY Region__c AT Asia__c', /Data categories are not enabled/],
    ] as const
    for (const [clause, reason] of clauses) {
      assertRefused(await find(`FIND {acme} WITH ${clause}`), 400, 'MALFORMED_SEARCH', reason)
    }
  })
})

describe('around a search', () => {
  test('objects come in order, those of recently viewed records first', async () => {
    await o.call('GET', `/sobjects/Project__c/${ids.project}`, { headers: { 'svc-mru': 'updateMru=true' } })
    const { status, body } = await o.call('GET', '/search/scopeOrder')
    assert.equal(status, 200)
    const url = '/services/data/v64.0/sobjects/Project__c/describe'
    assert.ok(
      body
        .slice(0, 2)
        .some((entry: object) => JSON.stringify(entry) === JSON.stringify({ type: 'Project__c', url })),
    )
    const types: string[] = body.map(({ type }: { type: string }) => type)
    const { sobjects } = (await o.call('GET', '/sobjects')).body
    const searchable = sobjects.filter((one: { searchable: boolean }) => one.searchable)
    assert.deepEqual(types.sort(), searchable.map(({ name }: { name: string }) => name).sort())
  })

  test('layouts name the columns of each object, in the order of the parameter', async () => {
    const { body } = await o.call('GET', '/search/layout/?q=Contact,Account')
    assert.deepEqual(
      body.map(({ objectType }: { objectType: string }) => objectType),
      ['Contact', 'Account'],
    )
    assert.deepEqual(body[1].searchColumns[0], {
      field: 'Account.Name',
      format: null,
      label: 'Account Name',
      name: 'Name',
    })
    assertRefused(await o.call('GET', '/search/layout?q=Nothing'), 400, 'INVALID_TYPE', /Nothing/)
    assertRefused(
      await o.call('GET', '/search/layout'),
      400,
      'ILLEGAL_QUERY_PARAMETER_VALUE',
      /q has to name/,
    )
  })

  test('suggestions go on with the last word of a name', async () => {
    const suggest = async (query: string) => {
      const { status, body, text } = await o.call('GET', `/search/suggestions?${query}`)
      assert.equal(status, 200, text)
      return body
    }
    const { autoSuggestResults, hasMoreResults } = await suggest('q=acme+co&sobject=Account,Contact')
    assert.deepEqual(
      autoSuggestResults.map(({ Name }: { Name: string }) => Name),
      ['Acme Corp', 'The Corp of Acme'],
    )
    assert.equal(autoSuggestResults[0].attributes.type, 'Account')
    assert.equal(hasMoreResults, false)
    const one = await suggest('q=acm&sobject=Account&limit=1&fields=Phone&where=Phone%20!=%20null')
    assert.equal(one.autoSuggestResults[0].Phone, '(415) 555-1212')
    assert.equal((await suggest('q=acm&sobject=Account&limit=1')).hasMoreResults, true)
    assert.deepEqual(await suggest('q=a&sobject=Account'), { autoSuggestResults: [], hasMoreResults: false })
    for (const text of ['and', 'or not', '"(', '*?', 'a}b\\', 'x OR y']) {
      await suggest(`q=${encodeURIComponent(text)}&sobject=Account`)
    }
    assertRefused(
      await o.call('GET', '/search/suggestions?q=acme&sobject=Account&fields=Id%20LIMIT%201'),
      400,
      'MALFORMED_SEARCH',
      /unexpected/,
    )
  })
})
