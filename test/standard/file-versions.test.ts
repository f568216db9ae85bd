import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { assertRefused } from '../support/assert-refused.ts'
import { assertValues } from '../support/derived.ts'
import { openOrg, type TestOrg } from '../support/org.ts'

/* Values of files that follow from their versions. */

describe('a file version', () => {
  let o: TestOrg
  before(async () => {
    o = await openOrg()
  })
  const VersionData = 'aGVsbG8='
  const addVersion = async (fields: object) => {
    const id = await o.create('ContentVersion', { VersionData, ...fields })
    const { body } = await o.call('GET', `/sobjects/ContentVersion/${id}`)
    return { id, file: body.ContentDocumentId as string, body }
  }
  const change = (object: string, id: string, body: object) =>
    o.call('PATCH', `/sobjects/${object}/${id}`, { body })

  for (const [path, title] of [
    ['report.pdf', 'report'],
    ['a/b\\plan.final.docx', 'plan.final'],
    ['README', 'README'],
    ['.profile', '.profile'],
  ] as const) {
    test(`of ${path} without a title is called ${title}`, async () => {
      const { file, id } = await addVersion({ PathOnClient: path })
      await assertValues(o, 'ContentVersion', id, { Title: title })
      await assertValues(o, 'ContentDocument', file, { Title: title })
    })
  }

  for (const [extension, code] of [
    ['pdf', 'PDF'],
    ['txt', 'TEXT'],
    ['CSV', 'CSV'],
    ['png', 'PNG'],
    ['jpeg', 'JPG'],
    ['docx', 'WORD_X'],
    ['xlsx', 'EXCEL_X'],
    ['pptx', 'POWER_POINT_X'],
    ['zip', 'ZIP'],
    ['xml', 'XML'],
    ['html', 'HTML'],
    ['snote', 'SNOTE'],
    ['nothing', 'UNKNOWN'],
  ] as const) {
    test(`with the extension ${extension} is of type ${code}`, async () => {
      const { body } = await addVersion({ PathOnClient: `a.${extension}` })
      assert.deepEqual([body.FileType, body.FileExtension], [code, extension])
    })
  }

  test('needs its path on the client, and has the id of its bytes', async () => {
    const send = (body: object) => o.call('POST', '/sobjects/ContentVersion', { body })
    const pathless = await send({ VersionData })
    assertRefused(pathless, 400, 'REQUIRED_FIELD_MISSING', /PathOnClient/, ['PathOnClient'])
    const { body } = await addVersion({ PathOnClient: 'a.txt' })
    assert.match(body.ContentBodyId, /^05T\w{15}$/)
    const both = await send({ PathOnClient: 'a.txt', VersionData, ContentBodyId: body.ContentBodyId })
    assertRefused(both, 400, 'FIELD_INTEGRITY_EXCEPTION', /^Specify only one of these fields/, [
      'VersionData',
    ])
  })

  test('has a reason for its change unless it is the first', async () => {
    const fields = { PathOnClient: 'a.txt', VersionData, ReasonForChange: 'spelling' }
    const first = await o.call('POST', '/sobjects/ContentVersion', { body: fields })
    assertRefused(first, 400, 'FIELD_INTEGRITY_EXCEPTION', /reason/, ['ReasonForChange'])
    const { file, id } = await addVersion({ PathOnClient: 'a.txt' })
    const { body } = await addVersion({ ...fields, ContentDocumentId: file })
    assert.equal(body.ReasonForChange, 'spelling')
    assertRefused(
      await change('ContentVersion', id, { ReasonForChange: 'x' }),
      400,
      'INVALID_FIELD_FOR_INSERT_UPDATE',
      /ReasonForChange/,
      ['ReasonForChange'],
    )
  })

  test('has its tags in order', async () => {
    const { body } = await addVersion({ PathOnClient: 'a.txt', TagCsv: 'zeta, alpha,zeta' })
    assert.equal(body.TagCsv, 'alpha,zeta')
  })

  test('of a file is linked with a record once', async () => {
    const account = await o.create('Account', { Name: 'A' })
    const { file } = await addVersion({ PathOnClient: 'a.txt', FirstPublishLocationId: account })
    for (const entity of [account, o.userId]) {
      const again = await o.call('POST', '/sobjects/ContentDocumentLink', {
        body: { ContentDocumentId: file, LinkedEntityId: entity },
      })
      const message = `Document with ID: ${file} is already linked with the entity with ID: ${entity}`
      assertRefused(again, 400, 'DUPLICATE_VALUE', message, ['LinkedEntityId'])
    }
  })

  test('says when and by whom its content was written', async () => {
    const { body, file } = await addVersion({ PathOnClient: 'a.txt' })
    assert.equal(body.ContentModifiedById, o.userId)
    assert.equal(body.ContentModifiedDate.slice(0, 16), body.CreatedDate.slice(0, 16))
    await assertValues(o, 'ContentDocument', file, { ContentModifiedDate: body.ContentModifiedDate })
  })

  test('gives its file what it has, also when it is changed', async () => {
    const first = await addVersion({ Title: 'One', Description: 'd', PathOnClient: 'a.txt' })
    await assertValues(o, 'ContentDocument', first.file, {
      Title: 'One',
      Description: 'd',
      FileType: 'TEXT',
      ContentSize: 5,
      LatestPublishedVersionId: first.id,
    })
    assert.equal((await change('ContentVersion', first.id, { Title: 'Uno', Description: 'e' })).status, 204)
    await assertValues(o, 'ContentDocument', first.file, {
      Title: 'Uno',
      Description: 'e',
      ContentModifiedDate: first.body.ContentModifiedDate,
    })
    const second = await addVersion({ ContentDocumentId: first.file, Title: 'Two', PathOnClient: 'b.pdf' })
    await assertValues(o, 'ContentDocument', first.file, {
      Title: 'Two',
      Description: null,
      FileType: 'PDF',
      LatestPublishedVersionId: second.id,
      ContentModifiedDate: second.body.ContentModifiedDate,
    })
  })

  test('that is not the latest one is not changed any more', async () => {
    const first = await addVersion({ Title: 'One', PathOnClient: 'a.txt' })
    const second = await addVersion({ Title: 'Two', PathOnClient: 'a.txt', ContentDocumentId: first.file })
    for (const body of [{ Title: 'x' }, { TagCsv: 'x' }])
      assertRefused(
        await change('ContentVersion', first.id, body),
        400,
        'FIELD_INTEGRITY_EXCEPTION',
        'Only the latest version of a file can be changed',
        ['IsLatest'],
      )
    const records = [first.id, second.id].map((Id) => ({
      attributes: { type: 'ContentVersion' },
      Id,
      Title: 'y',
    }))
    const { body } = await o.call('PATCH', '/composite/sobjects', { body: { records } })
    assert.deepEqual(
      body.map(({ success }: { success: boolean }) => success),
      [false, true],
    )
    await assertValues(o, 'ContentVersion', first.id, { Title: 'One' })
    await assertValues(o, 'ContentDocument', first.file, { Title: 'y' })
  })

  test('that is the latest one has the title that its file gets', async () => {
    const first = await addVersion({ Title: 'One', PathOnClient: 'a.txt' })
    const second = await addVersion({ Title: 'Two', PathOnClient: 'a.txt', ContentDocumentId: first.file })
    const { status } = await change('ContentDocument', first.file, { Title: 'New', Description: 'n' })
    assert.equal(status, 204)
    await assertValues(o, 'ContentVersion', second.id, { Title: 'New', Description: 'n' })
    await assertValues(o, 'ContentVersion', first.id, { Title: 'One' })
  })

  test('is changed while others are added', async () => {
    const { id, file } = await addVersion({ Title: 'T', PathOnClient: 'a.txt' })
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, index) =>
        index % 3 === 0
          ? o.call('POST', '/sobjects/ContentVersion', {
              body: { VersionData, PathOnClient: 'a.txt', ContentDocumentId: file, Title: `${index}` },
            })
          : change(index % 3 === 1 ? 'ContentVersion' : 'ContentDocument', index % 3 === 1 ? id : file, {
              Title: `${index}`,
            }),
      ),
    )
    for (const { status, text } of answers)
      assert.ok([201, 204].includes(status) || text.includes('Only the latest'), text)
    const { body } = await o.call('GET', `/sobjects/ContentDocument/${file}`)
    await assertValues(o, 'ContentVersion', body.LatestPublishedVersionId, {
      Title: body.Title,
      IsLatest: true,
    })
  })
})
