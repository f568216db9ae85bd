import type { ObjectDefinition } from '../../schema/definitions/definition.ts'
import type { FieldDefinition } from '../../schema/fields/field-definition.ts'
import { FORECAST_CATEGORIES } from '../values/short-picklists.ts'
import { withCheckCharacters } from './check-characters.sql.ts'
import { flag, longText, makeViewObject, nameText, picklist, text, whole } from './view-object.ts'

/** A column that says what a value means to the platform. */
interface StatusColumn {
  readonly field: FieldDefinition
  /** SQL text. */
  readonly value: string
}

interface StatusTable {
  readonly name: string
  readonly label: string
  readonly labelPlural: string
  readonly keyPrefix: string
  /** The picklist whose values it lists: object and field. */
  readonly of: readonly [string, string]
  readonly columns: readonly StatusColumn[]
  /** True if it has inactive values, too. */
  readonly isComplete?: boolean
}

/** A value as JSON: a text, or an object with more about it. */
const VALUE = `case jsonb_typeof(entry.value) when 'string' then entry.value #>> '{}' else entry.value ->> 'value' end`
const LABEL = `coalesce(case jsonb_typeof(entry.value) when 'object' then entry.value ->> 'label' end, ${VALUE})`

const said = (property: string) =>
  `case jsonb_typeof(entry.value) when 'object' then entry.value ->> '${property}' end`
const isSaid = (property: string) => `coalesce((${said(property)})::boolean, false)`

/** A value deployed in another letter case shares the id: it is the same value. */
const makeId = (keyPrefix: string) =>
  withCheckCharacters(`'${keyPrefix}OB0' || substr(md5(lower(${VALUE})), 1, 9)`)

const isDefault: StatusColumn = { field: flag('IsDefault', 'Default'), value: isSaid('default') }
const isClosed: StatusColumn = { field: flag('IsClosed', 'Closed'), value: isSaid('closed') }

const statusCode = (...codes: string[]): StatusColumn => ({
  field: picklist('StatusCode', 'Status Code', codes),
  value: `coalesce(${said('statusCode')}, 'Draft')`,
})

/** The rows of a picklist whose values mean something to the platform. Definition files change them. */
const makeStatusTable = ({ of, columns, isComplete, ...object }: StatusTable): ObjectDefinition =>
  makeViewObject(
    object,
    [
      nameText('MasterLabel', 'Master Label'),
      text('ApiName', 'API Name'),
      whole('SortOrder', 'Sort Order'),
      ...columns.map(({ field }) => field),
    ],
    {
      from: `"$org"._object object
             cross join lateral jsonb_array_elements(object.definition -> 'fields') field
             cross join lateral jsonb_array_elements(field -> 'values') with ordinality as entry (value, position)
             cross join (select changed_at from "$org"._schema_version) schema
             left join lateral (select id from "$org"."user" order by createddate, id limit 1) first on true
             where object.name = '${of[0]}' and field ->> 'name' = '${of[1]}'${isComplete ? '' : ` and not ${isSaid('inactive')}`}`,
      columns: {
        id: makeId(object.keyPrefix),
        masterlabel: LABEL,
        apiname: VALUE,
        sortorder: 'entry.position::integer',
        ...Object.fromEntries(columns.map(({ field, value }) => [field.name.toLowerCase(), value])),
        createdbyid: 'first.id',
        lastmodifiedbyid: 'first.id',
        createddate: 'schema.changed_at',
        lastmodifieddate: 'schema.changed_at',
        systemmodstamp: 'schema.changed_at',
      },
    },
  )

const FORECAST_CATEGORY = `coalesce(${said('forecastCategory')}, 'Pipeline')`

/** (docs/reference/api/standard-objects.md#status-tables) */
export const STATUS_TABLES: readonly ObjectDefinition[] = [
  makeStatusTable({
    name: 'OpportunityStage',
    label: 'Opportunity Stage',
    labelPlural: 'Opportunity Stages',
    keyPrefix: '01J',
    of: ['Opportunity', 'StageName'],
    isComplete: true,
    columns: [
      { field: flag('IsActive', 'Active'), value: `not ${isSaid('inactive')}` },
      isClosed,
      { field: flag('IsWon', 'Won'), value: isSaid('won') },
      {
        field: picklist('ForecastCategory', 'Forecast Category', [...FORECAST_CATEGORIES.keys()]),
        value: FORECAST_CATEGORY,
      },
      {
        field: text('ForecastCategoryName', 'Forecast Category Name'),
        value: `case ${FORECAST_CATEGORY} ${[...FORECAST_CATEGORIES].map(([value, name]) => `when '${value}' then '${name}'`).join(' ')} end`,
      },
      {
        field: {
          name: 'DefaultProbability',
          label: 'Probability (%)',
          type: 'percent',
          precision: 3,
          scale: 0,
        },
        value: `coalesce((${said('probability')})::numeric, 0)`,
      },
      { field: longText('Description', 'Description'), value: 'null::text' },
    ],
  }),
  makeStatusTable({
    name: 'CaseStatus',
    label: 'Case Status Value',
    labelPlural: 'Case Status Values',
    keyPrefix: '0JC',
    of: ['Case', 'Status'],
    columns: [isDefault, isClosed],
  }),
  makeStatusTable({
    name: 'LeadStatus',
    label: 'Lead Status Value',
    labelPlural: 'Lead Status Values',
    keyPrefix: '0JL',
    of: ['Lead', 'Status'],
    columns: [isDefault, { field: flag('IsConverted', 'Converted'), value: isSaid('converted') }],
  }),
  makeStatusTable({
    name: 'TaskStatus',
    label: 'Task Status Value',
    labelPlural: 'Task Status Values',
    keyPrefix: '0JT',
    of: ['Task', 'Status'],
    columns: [isDefault, isClosed],
  }),
  makeStatusTable({
    name: 'TaskPriority',
    label: 'Task Priority Value',
    labelPlural: 'Task Priority Values',
    keyPrefix: '0JP',
    of: ['Task', 'Priority'],
    columns: [isDefault, { field: flag('IsHighPriority', 'High Priority'), value: isSaid('highPriority') }],
  }),
  makeStatusTable({
    name: 'ContractStatus',
    label: 'Contract Status Value',
    labelPlural: 'Contract Status Values',
    keyPrefix: '0JK',
    of: ['Contract', 'Status'],
    columns: [isDefault, statusCode('Draft', 'InApproval', 'Activated')],
  }),
  makeStatusTable({
    name: 'OrderStatus',
    label: 'Order Status Value',
    labelPlural: 'Order Status Values',
    keyPrefix: '0JO',
    of: ['Order', 'Status'],
    columns: [isDefault, statusCode('Draft', 'Activated')],
  }),
]
