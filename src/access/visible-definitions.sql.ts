import { oncePer } from '../base/get-or-insert.ts'
import { type Sql, sql } from '../base/sql.ts'
import { unrestricted } from '../schema/objects/object-type.ts'
import type { SchemaSnapshot } from '../schema/snapshot/snapshot.ts'
import type { Viewer } from './row-rules.sql.ts'
import { visibleTo } from './visible-to.ts'

/** Columns with the name of the object that a record is about. */
const OBJECT_COLUMNS: ReadonlyMap<string, string> = new Map([
  ['CustomField', 'entitydefinitionid'],
  ['CustomObject', 'fullname'],
  ['EntityDefinition', 'qualifiedapiname'],
  ['ListView', 'sobjecttype'],
  ['RecordType', 'sobjecttype'],
  ['ValidationRule', 'entitydefinitionid'],
])

/** The same for a field: `Account.Key__c`. */
const FIELD_COLUMNS: ReadonlyMap<string, string> = new Map([['CustomField', 'fullname']])

/** True if the records of an object describe the org's objects. */
export const describesObjects = (name: string): boolean => OBJECT_COLUMNS.has(name)

/** The fields that visible objects have beside those that the caller may see. */
const hiddenFieldsOf = oncePer((visible: SchemaSnapshot): readonly string[] =>
  visible.objects.flatMap((object) =>
    unrestricted(object)
      .fields.filter(({ name }) => object.field(name) === undefined)
      .map(({ name }) => `${object.name}.${name}`),
  ),
)

const noneOf = (alias: string, column: string, hidden: readonly string[]): Sql[] =>
  hidden.length === 0 ? [] : [sql`${sql.id(alias, column)} <> all(${hidden}::text[])`]

/** The condition for records that describe what the viewer may see: others do not exist for the viewer. Undefined: all may be seen. */
export function ofVisibleDefinitions(
  { schema, access }: Viewer,
  name: string,
  alias: string,
): Sql | undefined {
  const objects = schema.objects
    .filter((object) => !access.rightsOn(object).read)
    .map((object) => object.name)
  const fieldColumn = FIELD_COLUMNS.get(name)
  const rules = [
    ...noneOf(alias, OBJECT_COLUMNS.get(name)!, objects),
    ...(fieldColumn === undefined
      ? []
      : noneOf(alias, fieldColumn, hiddenFieldsOf(visibleTo(access, schema)))),
  ]
  return rules.length === 0 ? undefined : sql`(${sql.join(rules, ' and ')})`
}
