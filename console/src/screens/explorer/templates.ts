import { data } from '../../api/client.ts'

export interface Call {
  readonly method: string
  readonly path: string
  readonly body: string
}

interface Template extends Call {
  readonly label: string
}

const json = (value: unknown) => JSON.stringify(value, null, 2)

/** Calls to begin with, for each kind of resource. */
export const templates = (): readonly Template[] => [
  { label: 'Query', method: 'GET', path: data('/query?q=SELECT+Id,+Name+FROM+Account+LIMIT+5'), body: '' },
  { label: 'Describe of an object', method: 'GET', path: data('/sobjects/Account/describe'), body: '' },
  { label: 'Create a record', method: 'POST', path: data('/sobjects/Account'), body: json({ Name: 'Acme' }) },
  {
    label: 'Update a record',
    method: 'PATCH',
    path: data('/sobjects/Account/ID'),
    body: json({ Phone: '555-0100' }),
  },
  {
    label: 'Composite: a record and its child',
    method: 'POST',
    path: data('/composite'),
    body: json({
      allOrNone: true,
      compositeRequest: [
        { method: 'POST', url: data('/sobjects/Account'), referenceId: 'account', body: { Name: 'Acme' } },
        {
          method: 'POST',
          url: data('/sobjects/Contact'),
          referenceId: 'contact',
          body: { LastName: 'King', AccountId: '@{account.id}' },
        },
      ],
    }),
  },
  {
    label: 'Batch: independent calls',
    method: 'POST',
    path: data('/composite/batch'),
    body: json({
      haltOnError: false,
      batchRequests: [
        { method: 'GET', url: `${data('/limits').slice(15)}` },
        { method: 'GET', url: `${data('/query?q=SELECT+COUNT()+FROM+Account').slice(15)}` },
      ],
    }),
  },
  {
    label: 'Tree: new records with children',
    method: 'POST',
    path: data('/composite/tree/Account'),
    body: json({
      records: [
        {
          attributes: { type: 'Account', referenceId: 'acme' },
          Name: 'Acme',
          Contacts: { records: [{ attributes: { type: 'Contact', referenceId: 'king' }, LastName: 'King' }] },
        },
      ],
    }),
  },
  {
    label: 'Graphs: each all or nothing',
    method: 'POST',
    path: data('/composite/graph'),
    body: json({
      graphs: [
        {
          graphId: 'first',
          compositeRequest: [
            {
              method: 'POST',
              url: data('/sobjects/Account'),
              referenceId: 'account',
              body: { Name: 'Acme' },
            },
            {
              method: 'POST',
              url: data('/sobjects/Contact'),
              referenceId: 'contact',
              body: { LastName: 'King', AccountId: '@{account.id}' },
            },
          ],
        },
      ],
    }),
  },
  {
    label: 'Collection: several records',
    method: 'POST',
    path: data('/composite/sobjects'),
    body: json({
      allOrNone: false,
      records: [
        { attributes: { type: 'Account' }, Name: 'First' },
        { attributes: { type: 'Account' }, Name: 'Second' },
      ],
    }),
  },
  {
    label: 'GraphQL document',
    method: 'POST',
    path: data('/graphql'),
    body: json({
      query: 'query { uiapi { query { Account(first: 5) { edges { node { Id Name { value } } } } } } }',
    }),
  },
  { label: 'Limits', method: 'GET', path: data('/limits'), body: '' },
]
