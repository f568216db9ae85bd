import type { SoapApi } from './soap-api.ts'

/** Calls of the APIs for records that are carried out. */
const ANSWERED = ['login', 'logout', 'getUserInfo', 'getServerTimestamp', 'setPassword'] as const

export type AnsweredOperation = (typeof ANSWERED)[number]

export const isAnswered = (name: string): name is AnsweredOperation =>
  (ANSWERED as readonly string[]).includes(name)

/** The routes of the data API that do the work of the calls that are not there; null: none does. */
const REST_ROUTES: Readonly<Record<string, string | null>> = {
  changeOwnPassword: 'POST /sobjects/User/:id/password',
  convertLead: null,
  create: 'POST /sobjects/:object or POST /composite/sobjects',
  delete: 'DELETE /sobjects/:object/:id or DELETE /composite/sobjects',
  deleteByExample: null,
  describeAllTabs: 'GET /tabs',
  describeAppMenu: null,
  describeApprovalLayout: 'GET /sobjects/:object/describe/approvalLayouts',
  describeAvailableQuickActions: 'GET /sobjects/:object/quickActions',
  describeCompactLayouts: 'GET /compactLayouts',
  describeDataCategoryGroupStructures: null,
  describeDataCategoryGroups: null,
  describeDataCategoryMappings: null,
  describeGlobal: 'GET /sobjects',
  describeGlobalTheme: 'GET /theme',
  describeKnowledgeSettings: null,
  describeLayout: 'GET /sobjects/:object/describe/layouts',
  describeNouns: null,
  describePathAssistants: null,
  describePrimaryCompactLayouts: 'GET /compactLayouts',
  describeQuickActions: 'GET /sobjects/:object/quickActions',
  describeSObject: 'GET /sobjects/:object/describe',
  describeSObjects: 'GET /sobjects/:object/describe',
  describeSearchLayouts: 'GET /search/layout',
  describeSearchScopeOrder: 'GET /search/scopeOrder',
  describeSearchableEntities: null,
  describeSoftphoneLayout: null,
  describeSoqlListViews: 'GET /sobjects/:object/listviews/:view/describe',
  describeTabs: 'GET /tabs',
  describeTheme: 'GET /theme',
  describeVisualForce: null,
  emptyRecycleBin: null,
  executeListView: 'GET /sobjects/:object/listviews/:view/results',
  findDuplicates: null,
  findDuplicatesByIds: null,
  getDeleted: 'GET /sobjects/:object/deleted',
  getUpdated: 'GET /sobjects/:object/updated',
  invalidateSessions: null,
  merge: null,
  performQuickActions: null,
  process: null,
  query: 'GET /query',
  queryAll: 'GET /queryAll',
  queryMore: 'GET /query/:locator',
  renderEmailTemplate: null,
  renderStoredEmailTemplate: null,
  resetPassword: 'DELETE /sobjects/User/:id/password',
  retrieve: 'GET /sobjects/:object/:id or POST /composite/sobjects/:object',
  retrieveMassMergeTemplate: null,
  retrieveQuickActionTemplates: null,
  search: 'GET /search',
  sendEmail: null,
  sendEmailMessage: null,
  undelete: 'POST /undelete',
  update: 'PATCH /sobjects/:object/:id or PATCH /composite/sobjects',
  upsert: 'PATCH /sobjects/:object/:key/:value or PATCH /composite/sobjects/:object/:key',
}

/** Returns the REST route that does the same, null if there is none, or undefined if the API has no such call. */
export const findRestRoute = (name: string): string | null | undefined =>
  Object.hasOwn(REST_ROUTES, name) ? REST_ROUTES[name] : undefined

/** Calls of the API for metadata that are carried out. */
const ANSWERED_OF_METADATA = [
  'cancelDeploy',
  'checkDeployStatus',
  'checkRetrieveStatus',
  'checkStatus',
  'deploy',
  'deployRecentValidation',
  'describeMetadata',
  'listMetadata',
  'readMetadata',
  'retrieve',
] as const

export type MetadataOperation = (typeof ANSWERED_OF_METADATA)[number]

export const isOfMetadata = (name: string): name is MetadataOperation =>
  (ANSWERED_OF_METADATA as readonly string[]).includes(name)

/** Calls of the API for metadata that are not there: an archive does their work. */
const REFUSED_OF_METADATA: readonly string[] = [
  'createMetadata',
  'deleteMetadata',
  'describeValueType',
  'renameMetadata',
  'updateMetadata',
  'upsertMetadata',
]

/** Calls of the API for code. Only the first is carried out. */
const OF_CODE: readonly string[] = [
  'executeAnonymous',
  'compileAndTest',
  'compileClasses',
  'compileTriggers',
  'runTests',
  'wsdlToApex',
]

/** True if an API has a call of this name, whether it is carried out here or not. */
export function isCall(letter: SoapApi['letter'], name: string): boolean {
  switch (letter) {
    case 'm':
      return isOfMetadata(name) || REFUSED_OF_METADATA.includes(name)
    case 's':
      return OF_CODE.includes(name)
    default:
      return isAnswered(name) || findRestRoute(name) !== undefined
  }
}

/** Of all calls, for fault plans, the call log and metrics. (docs/reference/api/soap.md#calls) */
export const SOAP_ROUTES: readonly string[] = [
  ...['u', 'c'].flatMap((letter) =>
    [...ANSWERED, ...Object.keys(REST_ROUTES)].map((name) => `/services/Soap/${letter}/${name}`),
  ),
  ...[...ANSWERED_OF_METADATA, ...REFUSED_OF_METADATA].map((name) => `/services/Soap/m/${name}`),
  ...OF_CODE.map((name) => `/services/Soap/s/${name}`),
]
