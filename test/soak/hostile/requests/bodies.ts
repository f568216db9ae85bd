import { brotliCompressSync, constants, deflateSync, gzipSync } from 'node:zlib'
import { makeSignature } from '../../../support/webhooks.ts'
import { type HostileRequest, written } from '../hostile-request.ts'
import type { Location } from '../place.ts'
import { ALMOST_LIMIT, HOSTILE_FORMS, HOSTILE_JSON, MEGABYTE, pack } from './texts.ts'

const DATA = '/services/data/v64.0'

const range = <T>(length: number, make: (i: number) => T) => Array.from({ length }, (_, i) => make(i))

/** Each hostile JSON where records are written, plain and packed, and in other places that read JSON. */
export function jsonRequests({ token }: Location): HostileRequest[] {
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` }
  const gzip = { 'content-encoding': 'gzip' }
  return Object.entries(HOSTILE_JSON).flatMap(([what, body]) => [
    written({
      name: `create, plain: ${what}`,
      kind: 'JSON, plain',
      method: 'POST',
      path: `${DATA}/sobjects/Account`,
      headers,
      body,
    }),
    written({
      name: `create, gzip: ${what}`,
      kind: 'JSON, packed',
      method: 'POST',
      path: `${DATA}/sobjects/Account`,
      headers: { ...headers, ...gzip },
      body: () => pack(what),
    }),
    written({
      name: `composite, gzip: ${what}`,
      kind: 'JSON, packed',
      method: 'POST',
      path: `${DATA}/composite`,
      headers: { ...headers, ...gzip },
      body: () => pack(what),
    }),
    written({
      name: `custom resource, gzip: ${what}`,
      kind: 'custom resources',
      method: 'POST',
      path: '/services/customrest/echo',
      headers: { ...headers, ...gzip },
      body: () => pack(what),
    }),
    written({
      name: `site, gzip: ${what}`,
      kind: 'site, as guest',
      listener: 'site',
      method: 'POST',
      path: '/services/customrest/echo',
      headers: { 'content-type': 'application/json', ...gzip },
      body: () => pack(what),
    }),
  ])
}

/** Records whose values are as large as a body may be. */
export function recordRequests({ token, accountId }: Location): HostileRequest[] {
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` }
  const records = (count: number, of: (i: number) => object) => () =>
    JSON.stringify({ records: range(count, of) })
  const long = (i: number) => ({ attributes: { type: 'Long__c' }, Key__c: `k${i}${Math.random()}` })
  const bodies: Readonly<Record<string, readonly [string, string, () => string | Buffer]>> = {
    '200 records with long texts': [
      'POST',
      '/composite/sobjects',
      records(200, (i) => ({ ...long(i), Text__c: 'é'.repeat(32_000), Other__c: 'x'.repeat(32_000) })),
    ],
    '200 records with texts that are too long': [
      'POST',
      '/composite/sobjects',
      records(200, (i) => ({ ...long(i), Text__c: 'x'.repeat(250_000) })),
    ],
    '200 records with texts for numbers': [
      'POST',
      '/composite/sobjects',
      records(200, (i) => ({
        attributes: { type: 'Account' },
        Name: `a${i}`,
        NumberOfEmployees: 'x'.repeat(250_000),
      })),
    ],
    '200 records with lists for texts': [
      'POST',
      '/composite/sobjects',
      records(200, (i) => ({ attributes: { type: 'Account' }, Description: 'x'.repeat(240_000), Name: [i] })),
    ],
    '200 records with a thousand unknown fields each': [
      'POST',
      '/composite/sobjects',
      records(200, () => ({
        attributes: { type: 'Account' },
        ...Object.fromEntries(range(1000, (i) => [`No${i}`, i])),
      })),
    ],
    '200 records without a type': [
      'POST',
      '/composite/sobjects',
      records(200, () => ({ Name: 'x'.repeat(200_000) })),
    ],
    'a hundred thousand records': ['POST', '/composite/sobjects', records(100_000, () => ({}))],
    '200 updates of one record': [
      'PATCH',
      '/composite/sobjects',
      records(200, () => ({
        attributes: { type: 'Account' },
        id: accountId,
        Description: 'x'.repeat(30_000),
      })),
    ],
    '200 upserts of one key': [
      'PATCH',
      '/composite/sobjects/Long__c/Key__c',
      records(200, () => ({ attributes: { type: 'Long__c' }, Key__c: 'same', Text__c: 'x'.repeat(32_000) })),
    ],
    'a tree of 200 records with long texts': [
      'POST',
      '/composite/tree/Account',
      records(200, (i) => ({
        attributes: { type: 'Account', referenceId: `r${i}` },
        Name: `t${i}`,
        Description: 'x'.repeat(31_000),
      })),
    ],
    'a tree of too deep records': [
      'POST',
      '/composite/tree/Account',
      () =>
        `{"records":[${'{"attributes":{"type":"Account","referenceId":"r"},"Name":"a","ChildAccounts":{"records":['.repeat(80)}${']}}'.repeat(80)}]}`,
    ],
    'a tree of 200,000 references': [
      'POST',
      '/composite/tree/Account',
      records(60_000, (i) => ({ attributes: { type: 'Account', referenceId: `r${i}` } })),
    ],
    'two thousand ids and fields': [
      'POST',
      '/composite/sobjects/Account',
      () => JSON.stringify({ ids: range(2000, () => accountId), fields: range(100_000, () => 'Name') }),
    ],
    'a file of 37 MB': [
      'POST',
      '/sobjects/Attachment',
      () =>
        JSON.stringify({
          Name: 'a.bin',
          ParentId: accountId,
          Body: Buffer.alloc(37 * MEGABYTE, 7).toString('base64'),
        }),
    ],
    'a file version of 37 MB': [
      'POST',
      '/sobjects/ContentVersion',
      () =>
        JSON.stringify({
          PathOnClient: 'a.bin',
          VersionData: Buffer.alloc(37 * MEGABYTE, 7).toString('base64'),
        }),
    ],
    'a file of what is no base64': [
      'POST',
      '/sobjects/Attachment',
      () => JSON.stringify({ Name: 'a.bin', ParentId: accountId, Body: `${'A=\n'.repeat(12 * MEGABYTE)}~` }),
    ],
    '200 files of 180 kB': [
      'POST',
      '/composite/sobjects',
      records(200, (i) => ({
        attributes: { type: 'Attachment' },
        Name: `a${i}`,
        ParentId: accountId,
        Body: 'QUJD'.repeat(60_000),
      })),
    ],
    'a step with a long text 25 times': [
      'POST',
      '/composite',
      () =>
        JSON.stringify({
          compositeRequest: range(25, (i) => ({
            method: 'POST',
            url: `${DATA}/sobjects/Long__c`,
            referenceId: `r${i}`,
            body: { Text__c: 'x'.repeat(MEGABYTE) },
          })),
        }),
    ],
    'references by the million': [
      'POST',
      '/composite',
      () =>
        JSON.stringify({
          compositeRequest: [
            {
              method: 'GET',
              url: `${DATA}/query?q=SELECT+Id+FROM+Account+LIMIT+1`,
              referenceId: 'r0',
            },
            {
              method: 'POST',
              url: `${DATA}/sobjects/Account`,
              referenceId: 'r1',
              body: { Name: '@{r0.totalSize}'.repeat(1_000_000) },
            },
          ],
        }),
    ],
    'references that are never closed': [
      'POST',
      '/composite',
      () =>
        JSON.stringify({
          compositeRequest: [
            {
              method: 'POST',
              url: `${DATA}/sobjects/Account`,
              referenceId: 'r1',
              body: { Name: '@{r1.a['.repeat(4_000_000) },
            },
          ],
        }),
    ],
    'a graph of 500 steps': [
      'POST',
      '/composite/graph',
      () =>
        JSON.stringify({
          graphs: [
            {
              graphId: 'g',
              compositeRequest: range(500, (i) => ({
                method: 'POST',
                url: `/services/data/v64.0/sobjects/Account`,
                referenceId: `r${i}`,
                body: { Name: `g${i}`, ...(i > 0 && { ParentId: `@{r${i - 1}.id}` }) },
              })),
            },
          ],
        }),
    ],
    'a graph of 500 steps with 80 references each': [
      'POST',
      '/composite/graph',
      () =>
        JSON.stringify({
          graphs: [
            {
              graphId: 'g',
              compositeRequest: range(500, (i) => ({
                method: 'POST',
                url: `${DATA}/sobjects/Account`,
                referenceId: `r${i}`,
                body: {
                  Name: `g${i}`,
                  Description: range(Math.min(i, 80), (k) => `@{r${i - 1 - k}.id}`).join(''),
                },
              })),
            },
          ],
        }),
    ],
    '75 graphs': [
      'POST',
      '/composite/graph',
      () =>
        JSON.stringify({
          graphs: range(75, (g) => ({
            graphId: `g${g}`,
            compositeRequest: range(6, (i) => ({
              method: 'GET',
              url: `${DATA}/sobjects/Account/describe`,
              referenceId: `r${i}`,
            })),
          })),
        }),
    ],
    'a batch of 25 describes': [
      'POST',
      '/composite/batch',
      () =>
        JSON.stringify({
          batchRequests: range(25, () => ({ method: 'GET', url: 'v64.0/sobjects/Account/describe' })),
        }),
    ],
    'a batch of 25 queries of long texts': [
      'POST',
      '/composite/batch',
      () =>
        JSON.stringify({
          batchRequests: range(25, () => ({
            method: 'GET',
            url: `v64.0/query?q=${encodeURIComponent('SELECT Text__c, Other__c FROM Long__c')}`,
          })),
        }),
    ],
    'a batch with rich inputs of 2 MB each': [
      'POST',
      '/composite/batch',
      () =>
        JSON.stringify({
          batchRequests: range(25, () => ({
            method: 'PATCH',
            url: `v64.0/sobjects/Account/${accountId}`,
            richInput: { Name: 'x'.repeat(1.9 * MEGABYTE) },
          })),
        }),
    ],
    'a query of 40 MB in a batch': [
      'POST',
      '/composite/batch',
      () =>
        JSON.stringify({
          batchRequests: [{ method: 'GET', url: `v64.0/query?q=${'%20'.repeat(13_000_000)}` }],
        }),
    ],
    'a document of 40 MB': [
      'POST',
      '/graphql',
      () => JSON.stringify({ query: `{${'a '.repeat(20_000_000)}}` }),
    ],
    'a document of braces': ['POST', '/graphql', () => JSON.stringify({ query: '{'.repeat(5_000_000) })],
    'variables of 250,000 values': [
      'POST',
      '/graphql',
      () =>
        JSON.stringify({
          query: 'query($v:[String]){uiapi{query{Account(where:{Name:{in:$v}}){edges{node{Id}}}}}}',
          variables: { v: range(240_000, (i) => `v${i}`) },
        }),
    ],
    'variables of 49,000 texts of 900 characters': [
      'POST',
      '/graphql',
      () =>
        JSON.stringify({
          query: 'query($v:[String]){uiapi{query{Account(where:{Name:{in:$v}}){edges{node{Id}}}}}}',
          variables: { v: range(49_000, (i) => `${i}`.padEnd(900, 'x')) },
        }),
    ],
    'a document of 8 million lines and 30 errors': [
      'POST',
      '/graphql',
      () =>
        JSON.stringify({
          query: `#${'\n'.repeat(8_000_000)}{uiapi{${range(30, (i) => `n${i}`).join(' ')}}}`,
        }),
    ],
    'a document of a name of 30 MB': [
      'POST',
      '/graphql',
      () => JSON.stringify({ query: `{${'a'.repeat(30_000_000)}}` }),
    ],
    'a batch of urls of half a million parameters': [
      'POST',
      '/composite/batch',
      () =>
        JSON.stringify({
          batchRequests: range(25, () => ({ method: 'GET', url: `v64.0/limits?${'a&'.repeat(499_000)}` })),
        }),
    ],
    'a composite of urls of half a million segments': [
      'POST',
      '/composite',
      () =>
        JSON.stringify({
          compositeRequest: range(25, (i) => ({
            method: 'GET',
            url: `${DATA}/sobjects/Account/${'a/'.repeat(490_000)}`,
            referenceId: `r${i}`,
          })),
        }),
    ],
    'a graph of 490 nodes with long urls': [
      'POST',
      '/composite/graph',
      () =>
        JSON.stringify({
          graphs: [
            {
              graphId: 'g',
              compositeRequest: range(490, (i) => ({
                method: 'PATCH',
                url: `${DATA}/sobjects/Account/${'a/'.repeat(4000)}`,
                referenceId: `r${i}`,
                body: { Name: 'n' },
              })),
            },
          ],
        }),
    ],
    'a batch of 25 queries of many formatted fields': [
      'POST',
      '/composite/batch',
      () =>
        JSON.stringify({
          batchRequests: range(25, () => ({
            method: 'GET',
            url: `v64.0/query?columns=true&q=SELECT ${range(1500, (i) => `FORMAT(AnnualRevenue) a${i}`).join(', ')} FROM Account`,
          })),
        }),
    ],
    'a path of references that multiply': [
      'POST',
      '/composite',
      () =>
        JSON.stringify({
          compositeRequest: [
            {
              method: 'GET',
              url: `${DATA}/query?q=SELECT Text__c FROM Long__c LIMIT 1`,
              referenceId: 'r',
            },
            {
              method: 'GET',
              url: `${DATA}/sobjects/Account/${'@{r.records[0].Text__c}'.repeat(1000)}`,
              referenceId: 's',
            },
          ],
        }),
    ],
    'a search of 40 MB': [
      'POST',
      '/parameterizedSearch',
      () => JSON.stringify({ q: 'a '.repeat(20_000_000), sobjects: [{ name: 'Account' }], fields: ['Id'] }),
    ],
    'a search in 80,000 objects': [
      'POST',
      '/parameterizedSearch',
      () =>
        JSON.stringify({ q: 'growth', sobjects: range(80_000, () => ({ name: 'Account' })), fields: ['Id'] }),
    ],
  }
  const schema = {
    objects: Object.fromEntries(
      range(3000, (i) => [`O${i}__c`, { fields: { A__c: { type: 'string', length: 10 } } }]),
    ),
    planOnly: true,
  }
  return [
    ...Object.entries(bodies).map(([name, [method, path, body]]) =>
      written({ name, kind: 'records and steps', method, path: DATA + path, headers, body }),
    ),
    written({
      name: 'a plan of 3,000 objects',
      kind: 'set-up',
      method: 'PUT',
      path: '/setup/orgs/current/schema',
      headers,
      body: () => JSON.stringify(schema),
    }),
    written({
      name: 'a deployment of 3,000 objects',
      kind: 'set-up',
      method: 'PUT',
      path: '/setup/orgs/current/schema',
      headers,
      body: () => JSON.stringify({ ...schema, mode: 'keep', planOnly: false }),
    }),
    written({
      name: 'a plan of one object with 5,000 fields',
      kind: 'set-up',
      method: 'PUT',
      path: '/setup/orgs/current/schema',
      headers,
      body: () =>
        JSON.stringify({
          objects: {
            Wide__c: {
              fields: Object.fromEntries(range(5000, (i) => [`F${i}__c`, { type: 'string', length: 10 }])),
            },
          },
          planOnly: true,
        }),
    }),
    written({
      name: 'a batch of an import with 200 wrong records',
      kind: 'set-up',
      method: 'PUT',
      path: '/setup/orgs/current/imports/hostile/batches/1',
      headers,
      body: () =>
        JSON.stringify({
          operation: 'insert',
          object: 'Account',
          records: range(200, () => ({ Name: [1], Description: 'x'.repeat(240_000) })),
        }),
    }),
  ]
}

/** Encodings of bodies. */
export function encodingRequests({ token }: Location): HostileRequest[] {
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` }
  const path = `${DATA}/sobjects/Account`
  const zeros = () => Buffer.alloc(1024 * MEGABYTE)
  const make = (name: string, encoding: string, body: () => Buffer | string) =>
    written({
      name,
      kind: 'encodings',
      method: 'POST',
      path,
      headers: { ...headers, 'content-encoding': encoding },
      body,
    })
  const ofBlanks = (size: number) => Buffer.alloc(size, ' ')
  return [
    make('a gigabyte of zeros in gzip', 'gzip', () => gzipSync(zeros(), { level: 1 })),
    make('50 MB of blanks in deflate', 'deflate', () => deflateSync(ofBlanks(ALMOST_LIMIT))),
    make('br', 'br', () =>
      brotliCompressSync(ofBlanks(10 * MEGABYTE), { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } }),
    ),
    make('gzip twice', 'gzip, gzip', () => gzipSync(gzipSync(ofBlanks(MEGABYTE)))),
    make('gzip that is none', 'gzip', () => ofBlanks(ALMOST_LIMIT)),
    make('gzip that breaks off', 'gzip', () => pack('a million members').subarray(0, 10_000)),
    make('many members of gzip', 'gzip', () => Buffer.concat(range(100_000, () => gzipSync(' ')))),
    make('a long name of an encoding', 'x'.repeat(50_000), () => '{}'),
    make('a name of the language', '__proto__', () => '{}'),
    make('identity', 'identity', () => '{}'),
  ]
}

/** Forms for OAuth and the pages. */
export function formRequests({ token }: Location): HostileRequest[] {
  const type = { 'content-type': 'application/x-www-form-urlencoded' }
  const endpoints = [
    ...['token', 'revoke', 'introspect', 'authorize', 'userinfo'].map((name) => `/services/oauth2/${name}`),
    '/login',
    '/logout',
    '/change-password',
    '/setup/connect',
  ]
  return endpoints.flatMap((path) =>
    Object.entries(HOSTILE_FORMS).flatMap(([what, body]) => [
      written({ name: `${path}: ${what}`, kind: 'forms', method: 'POST', path, headers: type, body }),
      written({
        name: `${path}, gzip: ${what}`,
        kind: 'forms, packed',
        method: 'POST',
        path,
        headers: { ...type, 'content-encoding': 'gzip', authorization: `Bearer ${token}` },
        body: () => gzipSync(body().repeat(40)),
      }),
    ]),
  )
}

/** Assertions, secrets, codes. */
export function oauthRequests({ clientId, revokedToken }: Location): HostileRequest[] {
  const type = { 'content-type': 'application/x-www-form-urlencoded' }
  const base64 = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const jwt = (head: unknown, claims: unknown, signature = 'x'.repeat(342)) =>
    `${base64(head)}.${base64(claims)}.${signature}`
  const claims = { iss: clientId, sub: 'admin@objectry.local', aud: 'http://127.0.0.1', exp: 9_999_999_999 }
  const rs256 = { alg: 'RS256' }
  const assertions: Readonly<Record<string, string>> = {
    'an assertion of 60 kB': 'x'.repeat(60_000),
    'an assertion of points': '.'.repeat(60_000),
    'an assertion of deep claims': `${base64(rs256)}.${Buffer.from('['.repeat(40_000)).toString('base64url')}.x`,
    'an assertion with many claims': jwt(rs256, Object.fromEntries(range(3000, (i) => [`c${i}`, i]))),
    'an assertion signed by nobody': jwt(rs256, claims),
    'an assertion without algorithm': jwt({ alg: 'none' }, claims, ''),
    'an assertion with an algorithm of the language': jwt({ alg: '__proto__' }, claims),
    'an assertion with many audiences': jwt(rs256, { ...claims, aud: range(4000, (i) => `a${i}`) }),
    'an assertion until never': jwt(rs256, { ...claims, exp: 1e308 }),
    'an assertion of a long id': jwt(rs256, { ...claims, jti: 'j'.repeat(40_000) }),
  }
  const token2 = (name: string, parameters: Readonly<Record<string, string>>) =>
    written({
      name,
      kind: 'OAuth',
      method: 'POST',
      path: '/services/oauth2/token',
      headers: type,
      body: () => new URLSearchParams(parameters).toString(),
    })
  return [
    ...Object.entries(assertions).map(([name, assertion]) =>
      token2(name, { grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer', assertion }),
    ),
    token2('a long secret', {
      grant_type: 'client_credentials',
      client_id: clientId,
      client_secret: 'x'.repeat(60_000),
    }),
    token2('a long client', {
      grant_type: 'client_credentials',
      client_id: 'x'.repeat(60_000),
      client_secret: 'a',
    }),
    token2('a client with a zero byte', {
      grant_type: 'client_credentials',
      client_id: 'a\0b',
      client_secret: '\0',
    }),
    token2('a long password', {
      grant_type: 'password',
      client_id: clientId,
      client_secret: 'a',
      username: 'admin@objectry.local',
      password: 'x'.repeat(50_000),
    }),
    token2('a long code', {
      grant_type: 'authorization_code',
      client_id: clientId,
      code: 'x'.repeat(50_000),
      redirect_uri: 'x',
      code_verifier: 'x',
    }),
    token2('a long refresh token', {
      grant_type: 'refresh_token',
      client_id: clientId,
      refresh_token: 'x'.repeat(50_000),
    }),
    token2('a device', { response_type: 'device_code', client_id: clientId, scope: 'api '.repeat(10_000) }),
    token2('a device code', { grant_type: 'device', client_id: clientId, code: '\u0000'.repeat(1000) }),
    ...['introspect', 'revoke'].flatMap((endpoint) => [
      written({
        name: `${endpoint}: a long token`,
        kind: 'OAuth',
        method: 'POST',
        path: `/services/oauth2/${endpoint}`,
        headers: {
          ...type,
          authorization: `Basic ${Buffer.from(`${clientId}:${'x'.repeat(60_000)}`).toString('base64')}`,
        },
        body: () => `token=${'x'.repeat(60_000)}`,
      }),
      written({
        name: `${endpoint}: Basic of colons`,
        kind: 'OAuth',
        method: 'POST',
        path: `/services/oauth2/${endpoint}`,
        headers: { ...type, authorization: `Basic ${Buffer.from(':'.repeat(60_000)).toString('base64')}` },
        body: () => `token=${revokedToken}`,
      }),
    ]),
    written({
      name: 'a callback of the script',
      kind: 'OAuth',
      method: 'GET',
      path: `/services/oauth2/revoke?token=x&callback=${'a.'.repeat(10_000)}`,
    }),
    written({
      name: 'authorize: many redirects',
      kind: 'OAuth',
      method: 'GET',
      path: `/services/oauth2/authorize?response_type=code&client_id=${clientId}&redirect_uri=${'http://a/'.repeat(3000)}&code_challenge=${'x'.repeat(3000)}&nonce=%00`,
    }),
  ]
}

/** Deliveries that nobody has signed, and those of somebody who knows the secret. */
export function webhookRequests(_place: Location): HostileRequest[] {
  const path = '/services/customrest/hook'
  const make = (name: string, body: () => string | Buffer, headers: Readonly<Record<string, string>>) =>
    written({
      name,
      kind: 'webhooks',
      listener: 'site',
      method: 'POST',
      path,
      headers: { 'content-type': 'application/json', ...headers },
      body,
    })
  const signed = (name: string, text: () => string | Buffer) =>
    make(name, text, { 'x-hub-signature-256': makeSignature(text()) })
  const large = () => Buffer.alloc(24 * MEGABYTE, 'x')
  return [
    make('a delivery of 24 MB without signature', large, {}),
    make('a delivery of 24 MB with a false signature', large, {
      'x-hub-signature-256': `sha256=${'0'.repeat(64)}`,
    }),
    make('a delivery of 50 MB', () => Buffer.alloc(ALMOST_LIMIT, 'x'), {
      'x-hub-signature-256': `sha256=${'0'.repeat(64)}`,
    }),
    make('a signature of 200 kB', () => '{}', { 'x-hub-signature-256': `sha256=${'0'.repeat(200_000)}` }),
    make('a packed delivery', () => pack('ten million lists'), {
      'content-encoding': 'gzip',
      'x-hub-signature-256': 'sha256=x',
    }),
    signed('a signed delivery of levels', () => '['.repeat(1_000_000)),
    signed('a signed delivery of members', () => `{${range(200_000, (i) => `"k${i}":1`).join(',')}}`),
    signed(
      'a signed delivery of 20 MB',
      () => `{"id":"a${Math.random()}","text":"${'x'.repeat(20 * MEGABYTE)}"}`,
    ),
    signed('a signed delivery of no JSON', () => Buffer.alloc(MEGABYTE, 0xff)),
    signed('a signed delivery with a long id', () => `{"id":"${'x'.repeat(MEGABYTE)}"}`),
  ]
}

/** Records that come in parts. */
export function uploadRequests({ token, accountId }: Location): HostileRequest[] {
  const make = (name: string, type: string, body: () => string | Buffer) =>
    written({
      name,
      kind: 'multipart',
      method: 'POST',
      path: `${DATA}/sobjects/Attachment`,
      headers: { authorization: `Bearer ${token}`, 'content-type': type },
      body,
    })
  const part = (head: string, body: string) => `--b\r\n${head}\r\n\r\n${body}\r\n`
  const entity = (text: string) =>
    part('Content-Disposition: form-data; name="entity_document"\r\nContent-Type: application/json', text)
  const file = (bytes: string) =>
    part(
      'Content-Disposition: form-data; name="Body"; filename="a.bin"\r\nContent-Type: application/octet-stream',
      bytes,
    )
  const record = JSON.stringify({ Name: 'a.bin', ParentId: accountId })
  const type = 'multipart/form-data; boundary=b'
  return [
    make('a part of 100 MB', type, () => `${entity(record)}${file('x'.repeat(100 * MEGABYTE))}--b--`),
    make('100,000 parts', type, () => part('Content-Disposition: form-data; name="a"', 'x').repeat(100_000)),
    make('a part with 20,000 headers', type, () => part('a: b\r\n'.repeat(20_000), 'x')),
    make('a part with a header of a megabyte', type, () =>
      part(`Content-Disposition: ${'x'.repeat(MEGABYTE)}`, 'x'),
    ),
    make(
      'almost a boundary, again and again',
      type,
      () => `${entity(record)}${file('\r\n--'.repeat(10_000_000))}--b--`,
    ),
    make(
      'a part of 20 MB of line ends',
      type,
      () => `${entity(record)}${file('\r\n'.repeat(10 * MEGABYTE))}--b--`,
    ),
    make('20 MB of line ends before the first part', type, () => '\r\n'.repeat(10 * MEGABYTE)),
    make(
      'a record of 40 MB in a part',
      type,
      () => `${entity(`{"Name":"${'\\n'.repeat(20_000_000)}"}`)}--b--`,
    ),
    make('a record of levels in a part', type, () => `${entity('['.repeat(2_000_000))}--b--`),
    make(
      'a record of members in a part',
      type,
      () => `${entity(`{${range(240_000, (i) => `"k${i}":1`).join(',')}}`)}--b--`,
    ),
    make('no boundary', 'multipart/form-data', () => 'x'),
    make('a boundary of 100 kB', `multipart/form-data; boundary=${'b'.repeat(100_000)}`, () =>
      'x'.repeat(MEGABYTE),
    ),
    make(
      'parts that never end',
      type,
      () => `${entity(record)}--b\r\nContent-Disposition: form-data; name="Body"\r\n\r\n`,
    ),
    make(
      'a file name of the language',
      type,
      () => `${part('Content-Disposition: form-data; name="__proto__"', '{}')}--b--`,
    ),
  ]
}
