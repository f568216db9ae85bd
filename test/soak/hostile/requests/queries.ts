import type { Dimension } from '../../growth/dimension.ts'
import { CALL_DIMENSIONS, GRAPHQL_DIMENSIONS } from '../../growth/other-dimensions.ts'
import { QUERY_DIMENSIONS } from '../../growth/query-dimensions.ts'
import { type HostileRequest, written } from '../hostile-request.ts'
import type { Location } from '../place.ts'

const DATA = '/services/data/v66.0'

/** Each thing of a request that can grow, at its largest. */
function grown(kind: string, dimensions: readonly Dimension[], token: string): HostileRequest[] {
  return dimensions.map(({ name, size, make }) => {
    const { method, path, body, headers } = make(size)
    return written({
      name: `${kind}: ${name}`,
      kind,
      method,
      path: path.startsWith('/services') ? path : DATA + path,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', ...headers },
      body: body === undefined ? undefined : () => JSON.stringify(body),
    })
  })
}

const QUERIES: Readonly<Record<string, string>> = {
  'all long texts': 'SELECT Id, Text__c, Other__c FROM Long__c',
  'all fields': 'SELECT FIELDS(ALL) FROM Account LIMIT 200',
  'children of children': 'SELECT Id, (SELECT Text__c, Other__c FROM Longs__r) FROM Account',
  'many children': `SELECT Id, ${Array.from({ length: 20 }, () => '(SELECT Id FROM Contacts)').join(', ')} FROM Account`,
  'semi-joins': `SELECT Id FROM Account WHERE Id IN (SELECT AccountId FROM Contact WHERE LastName LIKE '%a%') AND Id NOT IN (SELECT AccountId FROM Opportunity)`,
  'a far offset': 'SELECT Id FROM Account ORDER BY Name, Phone, Fax LIMIT 2000 OFFSET 2000',
  'a sum over everything':
    'SELECT CALENDAR_YEAR(CreatedDate), SUM(AnnualRevenue) FROM Account GROUP BY CUBE(CALENDAR_YEAR(CreatedDate), Name, Phone)',
  'wildcards at both ends': `SELECT Id FROM Account WHERE ${Array.from({ length: 60 }, (_, i) => `Name LIKE '%${'_%'.repeat(20)}${i}~'`).join(' OR ')}`,
  'wildcards of labels': `SELECT Id FROM User WHERE ${Array.from({ length: 30 }, () => `toLabel(TimeZoneSidKey) LIKE '${'%'.repeat(50)}a%b%c%d%~'`).join(' OR ')}`,
  'wildcards of long texts': `SELECT Id FROM Account WHERE Id IN (SELECT Account__c FROM Long__c WHERE Key__c LIKE '%l%o%n%g%~')`,
  'nothing but errors': `SELECT ${'x, '.repeat(1000)} FROM`,
}

const pretty = { 'x-prettyprint': '1' }

/** Answers that are large, written in every way. */
function largeAnswers({ token }: Location): HostileRequest[] {
  const auth = { authorization: `Bearer ${token}` }
  const introspection = {
    query:
      'query{__schema{types{name kind description fields(includeDeprecated:true){name description type{name kind ofType{name kind ofType{name}}} args{name type{name kind ofType{name}}}} inputFields{name type{name kind ofType{name}}} enumValues{name}}}}',
  }
  const ways: Readonly<Record<string, Readonly<Record<string, string>>>> = {
    plain: {},
    'in gzip': { 'accept-encoding': 'gzip' },
    indented: pretty,
    'indented in gzip': { ...pretty, 'accept-encoding': 'gzip' },
  }
  const get = (name: string, path: string) => ({ name, method: 'GET', path: DATA + path })
  const answers = [
    ...Object.entries(QUERIES).map(([name, soql]) =>
      get(`query: ${name}`, `/query?q=${encodeURIComponent(soql)}`),
    ),
    get('describe global', '/sobjects'),
    get('describe', '/sobjects/Account/describe'),
    get('layouts', '/sobjects/Account/describe/layouts'),
    {
      name: 'introspection',
      method: 'POST',
      path: `${DATA}/graphql`,
      body: () => JSON.stringify(introspection),
    },
    {
      name: 'a page of long texts by GraphQL',
      method: 'POST',
      path: `${DATA}/graphql`,
      body: () =>
        JSON.stringify({
          query:
            '{uiapi{query{Long__c(first:2000){edges{node{Text__c{value displayValue} Other__c{value displayValue}}}}}}}',
        }),
    },
    {
      name: 'two thousand records of long texts by ids',
      method: 'GET',
      path: `${DATA}/parameterizedSearch?q=long&sobject=Long__c&Long__c.fields=Text__c,Other__c&Long__c.limit=2000`,
    },
  ]
  return answers.flatMap((answer) =>
    Object.entries(ways).map(([way, headers]) =>
      written({
        ...answer,
        name: `${answer.name}, ${way}`,
        kind: 'large answers',
        headers: { ...auth, 'content-type': 'application/json', ...headers },
      }),
    ),
  )
}

export function queryRequests(location: Location): HostileRequest[] {
  return [
    ...grown('queries', QUERY_DIMENSIONS, location.token),
    ...grown('GraphQL', GRAPHQL_DIMENSIONS, location.token),
    ...grown('calls', CALL_DIMENSIONS, location.token),
    ...largeAnswers(location),
  ]
}
