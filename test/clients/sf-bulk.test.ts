import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { openSfClient, SF_NEEDED, type Sf, type SfClient } from '../support/sf.ts'

/* The bulk commands of the sf command of the registry, unmodified, over a real port: `npm run test:sf`. */

let sf: Sf
let o: SfClient['o']
let close: SfClient['close']

const WAIT = ['--wait', '5'] as const

const fileOf = (header: string, rows: readonly string[]) => `${[header, ...rows].join('\n')}\n`

async function count(where: string): Promise<number> {
  const query = `SELECT COUNT() FROM Account WHERE ${where}`
  return (await o.call('GET', `/query?q=${encodeURIComponent(query)}`)).body.totalSize
}

describe('the bulk commands of sf', SF_NEEDED, () => {
  before(async () => {
    ;({ o, sf, close } = await openSfClient())
  })
  after(() => close())

  test('import 10,000 rows, with either separator', async () => {
    const rows = Array.from({ length: 10_000 }, (_, n) => `sf ${n},${n}`)
    sf.write('comma.csv', fileOf('NAME,NumberOfEmployees', rows))
    sf.write('pipe.csv', fileOf('Name|NumberOfEmployees', ['"a|b"|1', 'c|2']))
    const { status, result } = await sf.json(
      ...['data', 'import', 'bulk', '--file', 'comma.csv', '--sobject', 'account', ...WAIT],
    )
    assert.equal(status, 0, JSON.stringify(result))
    assert.deepEqual(
      [result.processedRecords, result.successfulRecords, result.failedRecords],
      [10_000, 10_000, 0],
    )
    assert.match(result.jobId, /^750\w{15}$/)
    const piped = await sf.json(
      ...['data', 'import', 'bulk', '--file', 'pipe.csv', '--sobject', 'Account', ...WAIT],
      ...['--column-delimiter', 'PIPE'],
    )
    assert.equal(piped.result.successfulRecords, 2, JSON.stringify(piped))
    assert.deepEqual([await count("Name LIKE 'sf %'"), await count("Name = 'a|b'")], [10_000, 1])
  })

  test('end with 1 where rows failed, and write their results into files', async () => {
    sf.write('ragged.csv', fileOf('Name,Phone', ['good,1', 'bad,1,2']))
    const imported = await sf.json(
      ...['data', 'import', 'bulk', '--file', 'ragged.csv', '--sobject', 'Account', ...WAIT],
    )
    assert.equal(imported.status, 1)
    const jobId = /750\w{15}/.exec(JSON.stringify(imported))![0]
    const { result } = await sf.json('data', 'bulk', 'results', '--job-id', jobId)
    assert.deepEqual(
      [result.status, result.operation, result.object, result.processedRecords, result.failedRecords],
      ['JobComplete', 'insert', 'Account', 2, 1],
    )
    assert.match(sf.read(result.failedFilePath), /The row has 3 values, the header has 2 columns/)
  })

  test('say why a job failed', async () => {
    sf.write('other.csv', fileOf('LastName,Nope__c', ['x,1']))
    const said = await sf.ask(
      'data',
      'import',
      'bulk',
      '--file',
      'other.csv',
      '--sobject',
      'Contact',
      ...WAIT,
    )
    assert.notEqual(said.code, 0)
    assert.match(`${said.out}${said.error}`, /Field name not found : Nope__c/)
  })

  test('update, upsert by id, and delete', async () => {
    const id = await o.create('Account', { Name: 'sf old' })
    sf.write('update.csv', fileOf('ID,Name', [`${id},sf new`]))
    const updated = await sf.json(
      'data',
      'update',
      'bulk',
      '--file',
      'update.csv',
      '--sobject',
      'Account',
      ...WAIT,
    )
    assert.equal(updated.status, 0, JSON.stringify(updated))
    sf.write('upsert.csv', fileOf('Id,Name', [`${id},sf upserted`, ',sf made']))
    const upserted = await sf.json(
      ...[
        'data',
        'upsert',
        'bulk',
        '--file',
        'upsert.csv',
        '--sobject',
        'Account',
        '--external-id',
        'Id',
        ...WAIT,
      ],
    )
    assert.equal(upserted.status, 0, JSON.stringify(upserted))
    assert.equal(await count("Name IN ('sf upserted', 'sf made')"), 2)
    sf.write('delete.csv', fileOf('Id', [id]))
    const remove = () =>
      sf.json(...['data', 'delete', 'bulk', '--file', 'delete.csv', '--sobject', 'Account'], ...WAIT)
    const deleted = await remove()
    assert.equal(deleted.status, 0, JSON.stringify(deleted))
    sf.write('delete.csv', fileOf('Id', ['001000000000000AAA']))
    const unknown = await remove()
    assert.equal(unknown.status, 1)
  })

  test('export the result of a query as CSV and JSON', async () => {
    await o.create('Account', { Name: 'sf exported', Phone: '1' })
    const query = "select id,name,phone from Account WHERE Name = 'sf exported'"
    const ask = (format: string) =>
      sf.json(
        ...['data', 'export', 'bulk', '--query', query, '--output-file', `out.${format}`],
        ...['--result-format', format, ...WAIT],
      )
    const csv = await ask('csv')
    assert.equal(csv.result.totalSize, 1, JSON.stringify(csv))
    assert.match(sf.read('out.csv'), /^"Id","Name","Phone"\n"001\w{15}","sf exported","1"\n$/)
    await ask('json')
    const [record] = JSON.parse(sf.read('out.json'))
    assert.deepEqual([Object.keys(record), record.Name], [['Id', 'Name', 'Phone'], 'sf exported'])
  })
})
