import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { before, describe, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { fetchRecords } from '../support/ask.ts'
import { assertRefused, NO_RESOURCE } from '../support/assert-refused.ts'
import { fetchUiapi } from '../support/graphql.ts'
import { multipart } from '../support/multipart.ts'
import { openOrg, type TestOrg } from '../support/org.ts'
import { addPerson, allow } from '../support/people.ts'
import { measureUsualTime } from '../support/processor-time.ts'
import { SPECIMEN } from '../support/specimen-schema.ts'
import { standardObject } from '../support/standard-object.ts'
import { orphan, waitingPieces } from '../support/waiting-pieces.sql.ts'

/* Bytes of records: attachments and files. */

let o: TestOrg
let account: string
/** Larger than a piece, so that it goes into the database in several. */
const LARGE = randomBytes(1_200_000)

before(async () => {
  o = await openOrg({ settings: { bodyLimit: '8000000' } })
  await o.deploy([SPECIMEN])
  account = await o.create('Account', { Name: 'Acme' })
})

/** The bytes at an address, as they came. */
async function bytesAt(path: string) {
  const headers = { authorization: `Bearer ${o.token}` }
  const url = path.startsWith('/services') ? path : `/services/data/v64.0${path}`
  const { statusCode, headers: got, rawPayload } = await o.server.inject({ method: 'GET', url, headers })
  return { status: statusCode, type: got['content-type'], length: got['content-length'], bytes: rawPayload }
}

const waiting = async () => (await o.db.query<{ count: number }>(waitingPieces(o.org)))[0]!.count

describe('an attachment', () => {
  for (const [size, bytes] of [
    ['small', Buffer.from('hello')],
    ['large', LARGE],
  ] as const) {
    test(`that is ${size} goes in as base64 and comes out as bytes of its type`, async () => {
      const id = await o.create('Attachment', {
        ...{ Name: 'a.txt', ParentId: account, ContentType: 'text/plain' },
        Body: bytes.toString('base64'),
      })
      const { body } = await o.call('GET', `/sobjects/Attachment/${id}?fields=Body,BodyLength`)
      assert.equal(body.BodyLength, bytes.length)
      const got = await bytesAt(body.Body)
      assert.deepEqual([got.status, got.type, got.length], [200, 'text/plain', String(bytes.length)])
      assert.ok(got.bytes.equals(bytes))
    })

    test(`that is ${size} may have its base64 in lines, and has no other characters`, async () => {
      const text = bytes.toString('base64')
      const lines = text.replaceAll(/.{1,76}/g, '$&\r\n')
      const id = await o.create('Attachment', { Name: 'a.txt', ParentId: account, Body: lines })
      const { body } = await o.call('GET', `/sobjects/Attachment/${id}`)
      assert.ok((await bytesAt(body.Body)).bytes.equals(bytes))
      for (const wrong of [`-${text}`, text.replace(/=*$/, '_'), `${text}=A`]) {
        const answer = await o.call('POST', '/sobjects/Attachment', {
          body: { Name: 'a.txt', ParentId: account, Body: wrong },
        })
        assert.equal(answer.status, 400, answer.text)
        assert.match(answer.body[0].message, /^Cannot deserialize instance of base64Binary from VALUE_STRING/)
      }
    })

    test(`that is ${size} goes in as a part beside its record, and is changed so`, async () => {
      const record = { Name: 'a.png', ParentId: account, ContentType: 'image/png' }
      const sent = await multipart({ entity_document: record, Body: bytes })
      const created = await o.call('POST', '/sobjects/Attachment', sent)
      assert.equal(created.status, 201, created.text)
      const path = `/sobjects/Attachment/${created.body.id}`
      assert.ok((await bytesAt(`${path}/Body`)).bytes.equals(bytes))
      const other = Buffer.concat([bytes, Buffer.from('more')])
      const changed = await o.call(
        'PATCH',
        path,
        await multipart({ Attachment: { Name: 'b.png' }, Body: other }),
      )
      assert.equal(changed.status, 204, changed.text)
      assert.ok((await bytesAt(`${path}/Body`)).bytes.equals(other))
      const { body } = await o.call('GET', `${path}?fields=Name,BodyLength`)
      assert.deepEqual([body.Name, body.BodyLength], ['b.png', other.length])
      assert.equal(await waiting(), 0)
    })
  }

  test('may come packed', async () => {
    const record = { Name: 'a', ParentId: account }
    const { text, headers } = await multipart({ entity: record, Body: LARGE })
    const packed = { text: gzipSync(text), headers: { ...headers, 'content-encoding': 'gzip' } }
    const { body } = await o.call('POST', '/sobjects/Attachment', packed)
    assert.ok((await bytesAt(`/sobjects/Attachment/${body.id}/Body`)).bytes.equals(LARGE))
  })

  test('is shown without its bytes', async () => {
    const id = await o.create('Attachment', { Name: 'a', ParentId: account, Body: 'aGVsbG8=' })
    const path = `/services/data/v64.0/sobjects/Attachment/${id}/Body`
    const headers = { authorization: `Bearer ${o.token}` }
    const head = await o.server.inject({ method: 'HEAD', url: path, headers })
    assert.deepEqual([head.statusCode, head.headers['content-length'], head.payload], [200, '5', ''])
    const [row] = await fetchRecords(o, `SELECT Body FROM Attachment WHERE Id = '${id}'`)
    assert.equal(row!.Body, path)
    const got = await bytesAt(path)
    assert.equal(got.type, 'application/octet-stream')
  })

  test('of an invalid type is bytes without a type', async () => {
    for (const ContentType of ['text', 'text/html\u00e9', 'a b/c']) {
      const id = await o.create('Attachment', { Name: 'a', ParentId: account, Body: 'aGVsbG8=', ContentType })
      assert.equal((await bytesAt(`/sobjects/Attachment/${id}/Body`)).type, 'application/octet-stream')
    }
  })

  test('among several in one call keeps its own bytes', async () => {
    const bodies = [Buffer.from('one'), randomBytes(1_200_000), Buffer.from('two'), randomBytes(80_000)]
    const records = bodies.map((bytes, n) => ({
      ...{ attributes: { type: 'Attachment' }, Name: `${n}`, ParentId: account },
      Body: bytes.toString('base64'),
    }))
    const { body } = await o.call('POST', '/composite/sobjects', { body: { records } })
    for (const [n, { id }] of body.entries()) {
      assert.ok((await bytesAt(`/sobjects/Attachment/${id}/Body`)).bytes.equals(bodies[n]!))
    }
  })
})

test('a version tells where its bytes are: here, at a whole address', async () => {
  const sent = { Title: 'a', PathOnClient: 'a.txt', VersionData: 'aGVsbG8=', ContentLocation: 'S' }
  const id = await o.create('ContentVersion', sent)
  const names = 'ContentLocation, ContentUrl, VersionDataUrl'
  const [version] = await fetchRecords(o, `SELECT ${names} FROM ContentVersion WHERE Id = '${id}'`)
  const path = `/services/data/v64.0/sobjects/ContentVersion/${id}`
  const address = String(version!.VersionDataUrl)
  assert.match(address, /^http:\/\/localhost/)
  assert.equal(new URL(address).pathname, `${path}/VersionData`)
  assert.deepEqual([version!.ContentLocation, version!.ContentUrl], ['S', null])
  assert.equal((await bytesAt(`${path}/VersionData`)).bytes.toString(), 'hello')
  assert.equal((await o.call('GET', path)).body.VersionDataUrl, address)
  const document = `{ uiapi { query { ContentVersion(where: { Id: { eq: "${id}" } }) { edges { node { VersionDataUrl { value } } } } } } }`
  const { query } = await fetchUiapi(o, document)
  assert.equal(query.ContentVersion.edges[0].node.VersionDataUrl.value, address.replace('v64.0', 'v66.0'))
  const withNull = await o.call('POST', '/sobjects/ContentVersion', { body: { ...sent, ContentUrl: null } })
  assert.equal(withNull.status, 201, 'django-salesforce sends null')
  const linked = { ...sent, ContentUrl: 'https://example.com/a' }
  assertRefused(
    await o.call('POST', '/sobjects/ContentVersion', { body: linked }),
    400,
    'FIELD_INTEGRITY_EXCEPTION',
    'Files are kept here, and links to other places are not',
    ['ContentUrl'],
  )
  for (const ContentLocation of ['E', 'L']) {
    const answer = await o.call('POST', '/sobjects/ContentVersion', { body: { ...sent, ContentLocation } })
    assertRefused(answer, 400, 'INVALID_OR_NULL_FOR_RESTRICTED_PICKLIST', /Content Origin/, [
      'ContentLocation',
    ])
  }
})

describe('bytes', () => {
  test('of a field that has none, of a record that is not there, and of what is no field of bytes are not found', async () => {
    const id = await o.create('Specimen__c', {})
    for (const path of [
      `/sobjects/Specimen__c/${id}/Bytes__c`,
      `/sobjects/Specimen__c/${id}/Text__c`,
      '/sobjects/Attachment/00POB0000000999/Body',
    ]) {
      assertRefused(await o.call('GET', path), 404, 'NOT_FOUND', NO_RESOURCE)
    }
  })

  test('are only read at their address', async () => {
    const id = await o.create('Attachment', { Name: 'a', ParentId: account, Body: 'aGVsbG8=' })
    for (const method of ['PATCH', 'DELETE']) {
      const answer = await o.call(method, `/sobjects/Attachment/${id}/Body`, { body: {} })
      assertRefused(answer, 405, 'METHOD_NOT_ALLOWED', /Allowed are GET,HEAD$/)
    }
  })

  test('are those of a record that the caller sees', async () => {
    const { id } = (
      await o.call('POST', '/sobjects/Attachment', {
        body: { Name: 'a', ParentId: account, Body: 'aGVsbG8=' },
      })
    ).body
    await o.services.runtimes.of(o.org).snapshots.deploy(o.db, {
      objects: [{ ...standardObject('Attachment'), sharing: 'private' }],
      mode: 'keep',
      allowDestructive: true,
    })
    const person = await addPerson(o, 'reader')
    await allow(o, person.setId, 'Attachment', 'Read', 'ViewAllFields')
    const ask = () => person.call('GET', `/sobjects/Attachment/${id}/Body`)
    assert.equal((await ask()).status, 404)
    await allow(o, person.setId, 'Account', 'Read', 'ViewAllRecords')
    assert.equal((await ask()).status, 404)
  })

  test('are no part of a call that is made of calls', async () => {
    const id = await o.create('Attachment', { Name: 'a', ParentId: account, Body: 'aGVsbG8=' })
    const url = `/services/data/v64.0/sobjects/Attachment/${id}/Body`
    const composite = await o.call('POST', '/composite', {
      body: { compositeRequest: [{ method: 'GET', url, referenceId: 'a' }] },
    })
    assert.equal(composite.body.compositeResponse[0].body[0].errorCode, 'PROCESSING_HALTED')
    const batch = await o.call('POST', '/composite/batch', {
      body: { batchRequests: [{ method: 'GET', url }] },
    })
    assert.equal(batch.body.results[0].result[0].errorCode, 'PROCESSING_HALTED')
  })
})

describe('a body of parts', () => {
  const send = async (parts: Parameters<typeof multipart>[0]) =>
    o.call('POST', '/sobjects/Attachment', await multipart(parts))
  const record = () => ({ Name: 'a', ParentId: account })

  test('that cannot be read changes nothing and leaves nothing behind', async () => {
    const count = async () => (await o.call('GET', '/query?q=SELECT+COUNT()+FROM+Attachment')).body.totalSize
    const there = await count()
    const wrong = 'JSON_PARSER_ERROR'
    assertRefused(
      await send({ Body: LARGE }),
      400,
      'INVALID_MULTIPART_REQUEST',
      /^Multipart message must include a non-binary part$/,
    )
    assertRefused(await send({ a: record(), b: record() }), 400, wrong, 'More than one part is JSON')
    assertRefused(
      await send({ a: { ...record(), Description: 'x'.repeat(1_100_000) } }),
      400,
      wrong,
      /larger than/,
    )
    assertRefused(
      await send({ a: [1] as object, Body: 'x' }),
      400,
      'INVALID_FIELD',
      /^Json Deserialization failed on token/,
    )
    assertRefused(await send({ a: record(), Nope: 'x' }), 400, 'INVALID_FIELD', /No such column 'Nope'/)
    assertRefused(
      await send({ a: record(), Name: LARGE, Body: 'x' }),
      400,
      wrong,
      /^Cannot deserialize instance of/,
    )
    assertRefused(await send({ a: record() }), 400, 'REQUIRED_FIELD_MISSING', /\[Body\]/, ['Body'])
    assertRefused(await send({ a: record(), Body: '' }), 400, 'REQUIRED_FIELD_MISSING', /\[Body\]/, ['Body'])
    const many = Object.fromEntries(Array.from({ length: 40 }, (_, n) => [`part${n}`, 'x']))
    assertRefused(await send({ a: record(), ...many }), 400, wrong, /more than 32 parts/)
    const large = { a: record(), Body: randomBytes(9_000_000) }
    assertRefused(await send(large), 413, 'REQUEST_BODY_TOO_LARGE', /larger than 8000000 bytes/)
    const { text, headers } = await multipart({ a: record(), Body: LARGE })
    const raw = (body: Buffer, more: object = {}) =>
      o.call('POST', '/sobjects/Attachment', { text: body, headers: { ...headers, ...more } })
    assertRefused(
      await raw(text.subarray(0, LARGE.length * 0.7)),
      400,
      wrong,
      /^The parts of the body cannot be read/,
    )
    assertRefused(await raw(Buffer.alloc(0)), 400, wrong, /^/)
    assertRefused(await raw(text, { 'content-encoding': 'gzip' }), 400, wrong, /^/)
    assertRefused(await raw(text, { 'content-encoding': 'br' }), 415, 'UNSUPPORTED_MEDIA_TYPE', /br/)
    assertRefused(
      await raw(text, { 'content-type': 'multipart/form-data' }),
      400,
      wrong,
      /no parts that can be read/,
    )
    const bomb = gzipSync(Buffer.concat([text.subarray(0, 2000), Buffer.alloc(20_000_000)]))
    assertRefused(await raw(bomb, { 'content-encoding': 'gzip' }), 413, 'REQUEST_BODY_TOO_LARGE', /^/)
    assert.equal(await count(), there)
    assert.equal(await waiting(), 0)
  })

  test('is not read before it is known who sends it', async () => {
    const { text, headers } = await multipart({ a: record(), Body: LARGE })
    const url = '/services/data/v64.0/sobjects/Attachment'
    const answer = await o.server.inject({ method: 'POST', url, headers, payload: text })
    assert.equal(answer.statusCode, 401)
  })

  test('means nothing to a read', async () => {
    const { text, headers } = await multipart({ a: record() })
    assert.equal((await o.call('GET', `/sobjects/Account/${account}`, { text, headers })).status, 200)
  })
})

describe('a file', () => {
  const version = async (fields: object, bytes: Buffer) => {
    const sent = await multipart({ entity_content: fields, VersionData: bytes })
    const { status, body, text } = await o.call('POST', '/sobjects/ContentVersion', sent)
    assert.equal(status, 201, text)
    return body.id as string
  }
  const read = async (object: string, id: string) => (await o.call('GET', `/sobjects/${object}/${id}`)).body

  test('comes with each version of a list from which another record was refused', async () => {
    const record = (fields: object) => ({
      ...{ attributes: { type: 'ContentVersion' }, PathOnClient: 'a.txt', VersionData: 'aGVsbG8=' },
      ...fields,
    })
    const records = [record({}), record({ FirstPublishLocationId: '001OB0000000999' }), record({})]
    const { body } = await o.call('POST', '/composite/sobjects', { body: { records } })
    assert.deepEqual(
      body.map(({ success }: { success: boolean }) => success),
      [true, false, true],
    )
    const [one, , two] = body
    const [first, second] = [await read('ContentVersion', one.id), await read('ContentVersion', two.id)]
    assert.notEqual(first.ContentDocumentId, second.ContentDocumentId)
    for (const made of [first, second]) {
      const file = await read('ContentDocument', made.ContentDocumentId)
      assert.deepEqual([made.VersionNumber, file.LatestPublishedVersionId], ['1', made.Id])
    }
  })

  test('comes with its first version, where that is published', async () => {
    const id = await version({ PathOnClient: 'C:\\docs\\Report.PDF', FirstPublishLocationId: account }, LARGE)
    const made = await read('ContentVersion', id)
    const { Title, FileType, FileExtension, ContentSize, Checksum, IsLatest, VersionNumber } = made
    assert.deepEqual(
      { Title, FileType, FileExtension, ContentSize, Checksum, IsLatest, VersionNumber },
      {
        Title: 'Report',
        FileType: 'PDF',
        FileExtension: 'PDF',
        ContentSize: LARGE.length,
        Checksum: createHash('md5').update(LARGE).digest('hex'),
        IsLatest: true,
        VersionNumber: '1',
      },
    )
    const got = await bytesAt(made.VersionData)
    assert.deepEqual([got.status, got.type], [200, 'application/pdf'])
    assert.ok(got.bytes.equals(LARGE))
    const file = await read('ContentDocument', made.ContentDocumentId)
    assert.deepEqual(
      [file.Title, file.LatestPublishedVersionId, file.ContentSize, file.FileType, file.OwnerId],
      ['Report', id, LARGE.length, 'PDF', o.userId],
    )
    const links = await fetchRecords(
      o,
      `SELECT LinkedEntityId, ShareType FROM ContentDocumentLink WHERE ContentDocumentId = '${file.Id}' ORDER BY ShareType`,
    )
    assert.deepEqual(
      links.map(({ LinkedEntityId, ShareType }) => [LinkedEntityId, ShareType]),
      [
        [account, 'V'],
        [o.userId, 'I'],
      ],
    )
    const children = await o.call(
      'GET',
      `/sobjects/Account/${account}/ContentDocumentLinks?fields=ContentDocumentId`,
    )
    assert.deepEqual(
      children.body.records.map(({ ContentDocumentId }: { ContentDocumentId: string }) => ContentDocumentId),
      [file.Id],
    )
  })

  test('has versions of which the newest is the latest, also when they come at the same time', async () => {
    const first = await read(
      'ContentVersion',
      await version({ Title: 'v', PathOnClient: 'v.txt' }, Buffer.from('1')),
    )
    const { ContentDocumentId } = first
    await Promise.all(
      [2, 3, 4].map((n) =>
        version({ Title: `v${n}`, PathOnClient: 'v.txt', ContentDocumentId }, Buffer.from(`${n}`)),
      ),
    )
    const versions = await fetchRecords(
      o,
      `SELECT Id, VersionNumber, IsLatest, Title FROM ContentVersion WHERE ContentDocumentId = '${ContentDocumentId}' ORDER BY VersionNumber`,
    )
    assert.deepEqual(
      versions.map(({ VersionNumber, IsLatest }) => [VersionNumber, IsLatest]),
      [
        ['1', false],
        ['2', false],
        ['3', false],
        ['4', true],
      ],
    )
    const file = await read('ContentDocument', ContentDocumentId)
    assert.deepEqual([file.LatestPublishedVersionId, file.Title], [versions[3]!.Id, versions[3]!.Title])
  })

  test('goes with its versions and links, and comes by the platform alone', async () => {
    const { ContentDocumentId, Id } = await read(
      'ContentVersion',
      await version({ Title: 'gone', PathOnClient: 'gone' }, Buffer.from('x')),
    )
    assert.equal((await o.call('DELETE', `/sobjects/ContentDocument/${ContentDocumentId}`)).status, 204)
    assert.equal((await o.call('GET', `/sobjects/ContentVersion/${Id}`)).status, 404)
    assert.equal((await bytesAt(`/sobjects/ContentVersion/${Id}/VersionData`)).status, 404)
    const made = await o.call('POST', '/sobjects/ContentDocument', { body: { Title: 'x' } })
    assert.notEqual(made.status, 201)
    assert.ok(made.status < 500)
  })
})

describe('large bytes in JSON', () => {
  const Body = LARGE.toString('base64')

  test('leave nothing behind, whether their record is created, changed or refused', async () => {
    const id = await o.create('Attachment', { Name: 'a', ParentId: account, Body })
    const changed = await o.call('PATCH', `/sobjects/Attachment/${id}`, { body: { Body } })
    assert.equal(changed.status, 204, changed.text)
    const gone = await o.call('PATCH', `/sobjects/Attachment/${id.slice(0, 14)}z`, { body: { Body } })
    assert.equal(gone.status, 404)
    const attributes = { type: 'Attachment' }
    const records = [
      { attributes, Name: 'a', ParentId: account, Body },
      { attributes, Name: 'b', ParentId: id, Body },
    ]
    for (const allOrNone of [false, true]) {
      const list = await o.call('POST', '/composite/sobjects', { body: { allOrNone, records } })
      assert.deepEqual(
        list.body.map(({ success }: { success: boolean }) => success),
        [!allOrNone, false],
        list.text,
      )
    }
    assert.equal(await waiting(), 0)
  })

  test('go in beside values whose changes are told, and within a call that is all or nothing', async () => {
    await o.deploy([
      {
        name: 'Scan__c',
        label: 'Scan',
        labelPlural: 'Scans',
        keyPrefix: 'a0s',
        changeEvents: true,
        fields: [
          { name: 'Name', label: 'Name', type: 'string', length: 80, nameField: true },
          { name: 'Bytes__c', label: 'Bytes', type: 'base64' },
        ],
      },
    ])
    const url = '/services/data/v64.0/sobjects/Scan__c'
    const made = { method: 'POST', url, referenceId: 'made', body: { Name: 'a', Bytes__c: Body } }
    const compositeRequest = [
      made,
      { method: 'PATCH', url: `${url}/@{made.id}`, referenceId: 'changed', body: { Name: 'b' } },
    ]
    const whole = await o.call('POST', '/composite', { body: { allOrNone: true, compositeRequest } })
    const { id } = whole.body.compositeResponse[0].body
    assert.ok((await bytesAt(`${url}/${id}/Bytes__c`)).bytes.equals(LARGE), whole.text)
    const other = Buffer.concat([LARGE, Buffer.from('more')])
    const body = { Name: 'c', Bytes__c: other.toString('base64') }
    const changed = await o.call('PATCH', `${url}/${id}`, { body })
    assert.equal(changed.status, 204, changed.text)
    assert.ok((await bytesAt(`${url}/${id}/Bytes__c`)).bytes.equals(other))
    assert.equal((await o.call('GET', `${url}/${id}`)).body.Name, 'c')
    assert.equal(await waiting(), 0)
  })

  test('cost the embedded engine no time for each byte', async () => {
    const large = Buffer.alloc(4_000_000, 'x')
    let id = ''
    const seconds = await measureUsualTime(async () => {
      id = await o.create('Attachment', { Name: 'a', ParentId: account, Body: large.toString('base64') })
      assert.ok((await bytesAt(`/sobjects/Attachment/${id}/Body`)).bytes.equals(large))
    })
    // Byte by byte, the engine took two seconds.
    assert.ok(seconds < 1, `${seconds}`)
  })
})

test('the bytes of several records that are written together stay what they are', async () => {
  const bytes = [Buffer.from([0, 255, 92, 34]), Buffer.alloc(10_000, 7), Buffer.from('"\\x00"')]
  const attributes = { type: 'Attachment' }
  const records = bytes.map((one) => ({
    ...{ attributes, Name: 'a', ParentId: account },
    Body: one.toString('base64'),
  }))
  const { body } = await o.call('POST', '/composite/sobjects', { body: { records } })
  for (const [index, { id }] of body.entries()) {
    assert.ok((await bytesAt(`/sobjects/Attachment/${id}/Body`)).bytes.equals(bytes[index]!))
  }
})

test('bytes that a server left behind when it ended are swept by the next upload', async () => {
  await o.db.query(orphan(o.org))
  assert.equal(await waiting(), 1)
  await o.call(
    'POST',
    '/sobjects/Attachment',
    await multipart({ a: { Name: 'a', ParentId: account }, Body: LARGE }),
  )
  assert.equal(await waiting(), 0)
})

test('links of files are found by ids of files or of records only, unless the setting is lenient', async () => {
  const lenient = await openOrg({ settings: { lenient: 'true' } })
  const id = '001000000000001AAA'
  for (const [condition, isTaken] of [
    ['', false],
    ['LIMIT 1', false],
    ["WHERE ShareType = 'V'", false],
    [`WHERE LinkedEntityId != '${id}'`, false],
    [`WHERE LinkedEntityId = '${id}' OR ContentDocumentId = '069000000000001AAA'`, false],
    [`WHERE ShareType = 'V' AND LinkedEntityId IN ('${id}')`, true],
    ["WHERE ContentDocumentId = '069000000000001AAA'", true],
  ] as const) {
    for (const selected of ['Id', 'COUNT()', 'COUNT(Id)']) {
      if (selected !== 'Id' && condition.startsWith('LIMIT')) continue
      const path = `/query?q=${encodeURIComponent(`SELECT ${selected} FROM ContentDocumentLink ${condition}`)}`
      const answer = await o.call('GET', path)
      if (isTaken) assert.equal(answer.status, 200, answer.text)
      else
        assertRefused(
          answer,
          400,
          'MALFORMED_QUERY',
          /^Implementation restriction: ContentDocumentLink requires/,
        )
      assert.equal((await lenient.call('GET', path)).status, 200)
    }
  }
})
