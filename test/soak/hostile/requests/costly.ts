import { type HostileRequest, written } from '../hostile-request.ts'
import type { Location } from '../place.ts'
import { MEGABYTE } from './texts.ts'

const DATA = '/services/data/v66.0'

const range = <T>(length: number, make: (i: number) => T) => Array.from({ length }, (_, i) => make(i))

const queryPath = (soql: string) => `${DATA}/query?q=${encodeURIComponent(soql)}`

const LONG_TEXTS = 'SELECT Id, Text__c, Other__c FROM Long__c'

/** Small requests that ask for much: large answers by many names, and rules over long texts. */
export function costlyRequests({ token, accountId, fileId }: Location): HostileRequest[] {
  const make = (name: string, method: string, path: string, body?: () => unknown) =>
    written({
      name,
      kind: 'costly',
      method,
      path,
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
      },
      body: body && (() => JSON.stringify(body())),
    })
  const graphql = (name: string, query: () => string, variables?: () => object) =>
    make(name, 'POST', `${DATA}/graphql`, () => ({ query: query(), variables: variables?.() }))
  const steps = (name: string, count: number, path: string) =>
    make(name, 'POST', `${DATA}/composite`, () => ({
      compositeRequest: range(count, (i) => ({ method: 'GET', url: path, referenceId: `r${i}` })),
    }))
  const batch = (name: string, path: string) =>
    make(name, 'POST', `${DATA}/composite/batch`, () => ({
      batchRequests: range(25, () => ({ method: 'GET', url: path.replace('/services/data/', '') })),
    }))
  const rules = (name: string, count: number, record: () => object) =>
    make(name, 'POST', `${DATA}/composite/sobjects`, () => {
      const one = { attributes: { type: 'Ruled__c' }, ...record() }
      return { records: range(count, () => one) }
    })
  const mixed = (alphabet: string, length: number) =>
    range(length, (i) => alphabet[(i * 7919 + (i >> 3)) % alphabet.length]).join('')
  return [
    graphql(
      'a long text by 500 aliases of 400 records',
      () =>
        `{uiapi{query{Long__c(first:400){edges{node{${range(500, (i) => `a${i}:Text__c{value}`).join(' ')}}}}}}}`,
    ),
    graphql(
      'twenty queries of long texts by 50 aliases',
      () =>
        `{uiapi{query{${range(20, (q) => `q${q}:Long__c(first:200){edges{node{${range(50, (i) => `a${i}:Text__c{value}`).join(' ')}}}}`).join(' ')}}}}`,
    ),
    graphql(
      '80,000 ORs in a variable',
      () => 'query($w:Account_Filter){uiapi{query{Account(where:$w){edges{node{Id}}}}}}',
      () => ({ w: { or: range(80_000, (i) => ({ Name: { eq: `n${i}` } })) } }),
    ),
    make(
      'a long text by 300 aliases',
      'GET',
      queryPath(`SELECT ${range(300, (i) => `Text__c a${i}`).join(', ')} FROM Long__c`),
    ),
    make(
      'a long text by 300 parents',
      'GET',
      queryPath(`SELECT Id, (SELECT Text__c, Other__c FROM Longs__r) FROM Account WHERE Id = '${accountId}'`),
    ),
    make(
      'more columns than a statement may have',
      'GET',
      queryPath(`SELECT ${range(1700, (i) => `Name c${i}`).join(', ')} FROM Account`),
    ),
    steps('five queries of long texts in a composite', 5, queryPath(LONG_TEXTS)),
    batch('25 queries of long texts in a batch', queryPath(LONG_TEXTS)),
    batch('25 describes in a batch', `${DATA}/sobjects/Account/describe`),
    batch('25 lists of all objects in a batch', `${DATA}/sobjects`),
    batch('25 layouts in a batch', `${DATA}/sobjects/Account/describe/layouts`),
    make('a graph of 75 queries of long texts', 'POST', `${DATA}/composite/graph`, () => ({
      graphs: range(75, (g) => ({
        graphId: `g${g}`,
        compositeRequest: [{ method: 'GET', url: queryPath(LONG_TEXTS), referenceId: 'r' }],
      })),
    })),
    make('a header of 20 million commas in a step', 'POST', `${DATA}/composite`, () => ({
      compositeRequest: [
        {
          method: 'GET',
          url: `${DATA}/sobjects/Account/${accountId}`,
          referenceId: 'r',
          httpHeaders: { 'If-None-Match': ','.repeat(20 * MEGABYTE) },
        },
      ],
    })),
    rules('rules over five texts of 130 kB', 5, () => ({ Text__c: mixed('0123456789 -a@.', 130_000) })),
    rules('rules over 150 texts of 130 kB', 150, () => ({ Text__c: mixed('0123456789 -a@.', 130_000) })),
    rules('a pattern from a field over texts of 130 kB', 5, () => ({
      Text__c: mixed('ab', 130_000),
      Pattern__c: '[ab]*a[ab]{500}c',
    })),
    rules('a multi-select value of two million members', 1, () => ({
      Picks__c: range(2_000_000, (i) => `v${i % 300}`).join(';'),
    })),
    rules('200 multi-select values of 40,000 members', 200, () => ({
      Picks__c: range(40_000, (i) => `v${i % 300}`).join(';'),
    })),
    make('a file of 27 MB in base64', 'POST', `${DATA}/sobjects/ContentVersion`, () => ({
      Title: 'large',
      PathOnClient: 'large.bin',
      VersionData: 'QUFB'.repeat(9 * MEGABYTE),
    })),
    make('an attachment of 27 MB in base64', 'POST', `${DATA}/sobjects/Attachment`, () => ({
      Name: 'large.bin',
      ParentId: accountId,
      Body: 'QUFB'.repeat(9 * MEGABYTE),
    })),
    make('a file', 'GET', `${DATA}/sobjects/ContentVersion/${fileId}/VersionData`),
    batch('25 files in a batch', `${DATA}/sobjects/ContentVersion/${fileId}/VersionData`),
    make('200 records of long texts by ids', 'POST', `${DATA}/composite/sobjects/Long__c`, () => ({
      ids: range(200, () => accountId),
      fields: ['Text__c', 'Other__c'],
    })),
    make('a bulk query of long texts', 'POST', `${DATA}/jobs/query`, () => ({
      operation: 'query',
      query: LONG_TEXTS,
    })),
  ]
}

/** Each of these as many times at once: what one of them may take, all together may not. */
export const CROWD = 20

export const crowdRequests = (location: Location): HostileRequest[] =>
  costlyRequests(location).filter(({ name }) => !/MB|million|40,000/.test(name))
