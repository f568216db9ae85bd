import { type Dimension, get, graphql, post, repeat } from './dimension.ts'

const records = (selection: string) => `{uiapi{query{Account(first:1){edges{node{${selection}}}}}}}`
const filtered = (filter: string) => `{uiapi{query{Account(where:${filter}){edges{node{Id}}}}}}`
const step = (i: number, url: string) => ({
  method: 'GET',
  url: `/services/data/v66.0${url}`,
  referenceId: `r${i}`,
})
/** Its answer is referred to. */
const FIRST_STEP = step(0, '/query?q=SELECT+Id+FROM+Account+LIMIT+1')
const bracketed = (levels: number, text: string) => `${'('.repeat(levels)}${text}${')'.repeat(levels)}`
const search = (words: string) =>
  get(`/search?q=${encodeURIComponent(`FIND {${words}} RETURNING Account(Id)`)}`)

/** Documents. */
export const GRAPHQL_DIMENSIONS: readonly Dimension[] = [
  {
    name: 'aliases of a document',
    size: 2000,
    make: (n) => graphql(records(repeat(n, (i) => `a${i}:Name{value}`))),
  },
  {
    name: 'one field of a document many times',
    size: 2000,
    make: (n) => graphql(records(repeat(n, () => 'Name{value}'))),
  },
  {
    name: 'inline fragments',
    size: 1000,
    make: (n) => graphql(records(repeat(n, () => '...{Name{value} Phone{value}}'))),
  },
  {
    name: 'fragments',
    size: 600,
    make: (n) =>
      graphql(
        `${records(repeat(n, (i) => `...f${i}`))}${repeat(n, (i) => `fragment f${i} on Account{a${i}:Name{value}}`)}`,
      ),
  },
  {
    name: 'fragments in a row',
    size: 600,
    make: (n) =>
      graphql(
        `${records('...f0')}${repeat(n, (i) => `fragment f${i} on Account{Id ${i < n - 1 ? `...f${i + 1}` : ''}}`)}`,
      ),
  },
  {
    name: 'fragments that double',
    size: 40,
    make: (n) =>
      graphql(
        `${records('...f0')}${repeat(n, (i) => `fragment f${i} on Account{Id ${i < n - 1 ? `...f${i + 1} ...f${i + 1}` : ''}}`)}`,
      ),
  },
  {
    name: 'fragments of many types',
    size: 40,
    make: (n) =>
      graphql(
        `${records('Owner{...f0}')}${repeat(n, (i) => `fragment f${i} on User{Id ${i < n - 1 ? `...f${i + 1} ...f${i + 1}` : ''}}`)}`,
      ),
  },
  {
    name: 'aliases of types',
    size: 500,
    make: (n) => graphql(`{__schema{${repeat(n, (i) => `a${i}:types{name}`)}}}`),
  },
  {
    name: 'aliases of one type',
    size: 10,
    make: (n) =>
      graphql(`{${repeat(n, (i) => `a${i}:__type(name:"Account"){fields{name type{fields{name}}}}`)}}`),
  },
  {
    name: 'unused fragments',
    size: 1000,
    make: (n) => graphql(`${records('Id')}${repeat(n, (i) => `fragment f${i} on Account{Id}`)}`),
  },
  {
    name: 'variables',
    size: 1500,
    make: (n) => graphql(`query(${repeat(n, (i) => `$v${i}:Int`)})${records('Id')}`),
  },
  { name: 'operations', size: 400, make: (n) => graphql(repeat(n, (i) => `query q${i}${records('Id')}`)) },
  {
    name: 'directives',
    size: 1200,
    make: (n) => graphql(records(repeat(n, (i) => `a${i}:Id@skip(if:false)`))),
  },
  {
    name: 'unknown fields of a document',
    size: 5000,
    make: (n) => graphql(records(repeat(n, (i) => `No${i}`))),
  },
  {
    name: 'ORs of a filter',
    size: 1200,
    make: (n) => graphql(filtered(`{or:[${repeat(n, (i) => `{Name:{eq:"${i}"}}`)}]}`)),
  },
  {
    name: 'values of in',
    size: 9000,
    make: (n) => graphql(filtered(`{Name:{in:[${repeat(n, (i) => `"${i}"`)}]}}`)),
  },
  {
    name: 'values of in in a variable',
    size: 9000,
    make: (n) =>
      graphql(`query($v:[String]){uiapi{query{Account(where:{Name:{in:$v}}){edges{node{Id}}}}}}`, {
        v: Array.from({ length: n }, (_, i) => `${i}`),
      }),
  },
  {
    name: 'unknown members of a variable',
    size: 9000,
    make: (n) =>
      graphql(`query($v:Account_Filter){uiapi{query{Account(where:$v){edges{node{Id}}}}}}`, {
        v: Object.fromEntries(Array.from({ length: n }, (_, i) => [`No${i}`, i])),
      }),
  },
  {
    name: 'levels of a filter',
    size: 90,
    make: (n) => graphql(filtered(`${'{not:'.repeat(n / 2)}{Name:{eq:"a"}}${'}'.repeat(n / 2)}`)),
  },
  { name: 'blanks of a document', size: 1_000_000, make: (n) => graphql(`${' '.repeat(n)}${records('Id')}`) },
  { name: 'comments of a document', size: 9000, make: (n) => graphql(`${'#a\n'.repeat(n)}${records('Id')}`) },
  {
    name: 'a string of a document',
    size: 1_000_000,
    make: (n) => graphql(filtered(`{Name:{eq:"${'a'.repeat(n)}"}}`)),
  },
  {
    name: 'wildcards of a filter',
    size: 100_000,
    make: (n) => graphql(filtered(`{Name:{like:"${'%a'.repeat(n / 2)}"}}`)),
  },
]

/** Searches, composites, addresses and headers. */
export const CALL_DIMENSIONS: readonly Dimension[] = [
  { name: 'words of a search', size: 2000, make: (n) => search(repeat(n, (i) => `w${i}`)) },
  { name: 'ORs of a search', size: 2000, make: (n) => search(repeat(n, (i) => `w${i}`, ' OR ')) },
  { name: 'wildcards of a search', size: 2000, make: (n) => search(`ab${'*c'.repeat(n)}`) },
  { name: 'patterns of a search', size: 1000, make: (n) => search(repeat(n, (i) => `w${i}*x`)) },
  { name: 'levels of a search', size: 96, make: (n) => search(bracketed(n, 'word')) },
  { name: 'a phrase of a search', size: 3000, make: (n) => search(`"${repeat(n, (i) => `w${i}`)}"`) },
  {
    name: 'words of a parameterized search',
    size: 20_000,
    make: (n) =>
      post('/parameterizedSearch', {
        q: repeat(n, (i) => `w${i}`),
        sobjects: [{ name: 'Account' }],
        fields: ['Id'],
      }),
  },
  {
    name: 'parentheses of fields',
    size: 20_000,
    make: (n) => get(`/parameterizedSearch?q=acme&sobject=Account&Account.fields=${'('.repeat(n)}`),
  },
  {
    name: 'references of a step',
    size: 4000,
    make: (n) =>
      post('/composite', {
        compositeRequest: [
          FIRST_STEP,
          {
            ...step(1, '/sobjects/Account'),
            method: 'POST',
            body: { Name: 'a', Description: repeat(n, () => '@{r0.totalSize}') },
          },
        ],
      }),
  },
  {
    name: 'references that lead nowhere',
    size: 9000,
    make: (n) =>
      post('/composite', {
        compositeRequest: [
          {
            ...step(1, '/sobjects/Account'),
            method: 'POST',
            body: { Name: repeat(n, (i) => `@{no${i}.id}`) },
          },
        ],
      }),
  },
  {
    name: 'open references',
    size: 200_000,
    make: (n) =>
      post('/composite', {
        compositeRequest: [
          { ...step(1, '/sobjects/Account'), method: 'POST', body: { Name: '@{'.repeat(n) } },
        ],
      }),
  },
  {
    name: 'a long reference',
    size: 200_000,
    make: (n) =>
      post('/composite', {
        compositeRequest: [
          FIRST_STEP,
          { ...step(1, '/sobjects/Account'), method: 'POST', body: { Name: `@{r0${'.a'.repeat(n)}}` } },
        ],
      }),
  },
  {
    name: 'references of a query',
    size: 3000,
    make: (n) =>
      post('/composite', {
        compositeRequest: [
          FIRST_STEP,
          step(
            1,
            `/query?q=${encodeURIComponent(`SELECT Id FROM Account WHERE Name IN (${repeat(n, () => "'@{r0.totalSize}'", ',')})`)}`,
          ),
        ],
      }),
  },
  {
    name: 'steps of a graph',
    size: 480,
    make: (n) =>
      post('/composite/graph', {
        graphs: [
          {
            graphId: 'g',
            compositeRequest: Array.from({ length: n }, (_, i) => ({
              ...step(i, i === 0 ? '/sobjects/Account' : '/sobjects/Account/@{r0.id}'),
              method: i === 0 ? 'POST' : 'PATCH',
              body: { Name: 'a' },
            })),
          },
        ],
      }),
  },
  {
    name: 'members of a record',
    size: 20_000,
    make: (n) =>
      post('/sobjects/Account', Object.fromEntries(Array.from({ length: n }, (_, i) => [`No${i}`, i]))),
  },
  {
    name: 'a text of a record',
    size: 4_000_000,
    make: (n) => post('/sobjects/Account', { Name: 'a'.repeat(n) }),
  },
  {
    name: 'blanks of a text',
    size: 4_000_000,
    make: (n) => post('/sobjects/Account', { Name: `a${' '.repeat(n)}b` }),
  },
  {
    name: 'an e-mail address',
    size: 1_000_000,
    make: (n) => post('/sobjects/Contact', { LastName: 'a', Email: `${'a@'.repeat(n)}` }),
  },
  {
    name: 'points of an e-mail address',
    size: 1_000_000,
    make: (n) => post('/sobjects/Contact', { LastName: 'a', Email: `a@${'a.'.repeat(n)}` }),
  },
  {
    name: 'digits of a number',
    size: 1_000_000,
    make: (n) => post('/sobjects/Account', { AnnualRevenue: '1'.repeat(n) }),
  },
  {
    name: 'values of a picklist',
    size: 200_000,
    make: (n) => post('/sobjects/Account', { Name: 'a', Industry: repeat(n, () => 'a', ';') }),
  },
  {
    name: 'records of a tree',
    size: 200,
    make: (n) =>
      post('/composite/tree/Account', {
        records: Array.from({ length: n }, (_, i) => ({
          attributes: { type: 'Account', referenceId: `r${i}` },
          Nope: 'a',
        })),
      }),
  },
  {
    name: 'ids of a collection',
    size: 1500,
    make: (n) =>
      get(
        `/composite/sobjects/Account?fields=Id&ids=${repeat(n, (i) => `001${String(i).padStart(12, '0')}`, ',')}`,
      ),
  },
  {
    name: 'ids of a collection in a body',
    size: 2000,
    make: (n) =>
      post('/composite/sobjects/Account', {
        ids: Array.from({ length: n }, (_, i) => `001${String(i).padStart(12, '0')}`),
        fields: ['Id'],
      }),
  },
  {
    name: 'fields of a read',
    size: 10_000,
    make: (n) => get(`/sobjects/Account/001000000000001?fields=${repeat(n, () => 'Id', ',')}`),
  },
  {
    name: 'parameters of an address',
    size: 8000,
    make: (n) => get(`/limits?${repeat(n, (i) => `a${i}=`, '&')}`),
  },
  { name: 'ampersands of an address', size: 30_000, make: (n) => get(`/limits?${'&'.repeat(n)}`) },
  { name: 'slashes of an address', size: 30_000, make: (n) => get(`${'/'.repeat(n)}limits`) },
  { name: 'percents of an address', size: 10_000, make: (n) => get(`/sobjects/${'%25'.repeat(n)}`) },
  {
    name: 'a token',
    size: 200_000,
    make: (n) => get('/limits', { authorization: `Bearer ${'a'.repeat(n)}` }),
  },
  {
    name: 'blanks before a token',
    size: 200_000,
    make: (n) => get('/limits', { authorization: `Bearer${' '.repeat(n)}a b` }),
  },
  {
    name: 'tags of If-None-Match',
    size: 20_000,
    make: (n) => get('/sobjects/Account/describe', { 'if-none-match': repeat(n, (i) => `"${i}"`, ',') }),
  },
  {
    name: 'blanks of Accept-Encoding',
    size: 200_000,
    make: (n) => get('/limits', { 'accept-encoding': `gzip;${' '.repeat(n)}q=0.x` }),
  },
  {
    name: 'parts of Accept-Encoding',
    size: 60_000,
    make: (n) => get('/limits', { 'accept-encoding': ';q=0,'.repeat(n / 2) }),
  },
  {
    name: 'blanks of query options',
    size: 200_000,
    make: (n) =>
      get('/query?q=SELECT+Id+FROM+Account', { 'svc-query-options': `batchSize${' '.repeat(n)}=x` }),
  },
  {
    name: 'words of query options',
    size: 20_000,
    make: (n) =>
      get('/query?q=SELECT+Id+FROM+Account', { 'svc-query-options': repeat(n, () => 'batchSize=1', 'x') }),
  },
  {
    name: 'semicolons of Content-Type',
    size: 100_000,
    make: (n) => ({
      ...post('/sobjects/Account', {}),
      headers: { 'content-type': `application/json${';'.repeat(n)}` },
    }),
  },
  {
    name: 'blanks of Content-Type',
    size: 200_000,
    make: (n) => ({
      ...post('/sobjects/Account', {}),
      headers: { 'content-type': `application/json${' '.repeat(n)}x` },
    }),
  },
  {
    name: 'cookies',
    size: 30_000,
    make: (n) =>
      get('/services/oauth2/authorize?response_type=code', { cookie: repeat(n, (i) => `a${i}=b`, ';') }),
  },
  {
    name: 'scopes of a log-in',
    size: 10_000,
    make: (n) =>
      get(`/services/oauth2/authorize?response_type=code&client_id=x&scope=${repeat(n, () => 'a', '+')}`),
  },
  {
    name: 'forwarded addresses',
    size: 20_000,
    make: (n) => get('/limits', { 'x-forwarded-for': repeat(n, () => '1.1.1.1', ',') }),
  },
]
