import type { ApiVersion } from '../../base/api-version.ts'
import { isEventObject, isMetadataType } from '../definitions/custom-name.ts'
import type { ChildRelationship, ObjectType } from '../objects/object-type.ts'
import { getRecordTypes } from '../record-types/get-record-types.ts'
import type { SchemaSnapshot } from '../snapshot/snapshot.ts'
import { describeFieldOf } from './describe-field.ts'
import { supportedScopes } from './supported-scopes.ts'

/** (docs/reference/api/metadata.md#describe-of-an-object) */
function recordTypeInfos(object: ObjectType, base: string) {
  if (object.definition.setting !== undefined || isMetadataType(object.name) || isEventObject(object.name))
    return []
  return getRecordTypes(object).map((type) => ({
    active: type.inactive !== true,
    available: type.inactive !== true,
    defaultRecordTypeMapping: type.isDefault,
    developerName: type.name,
    master: type.master,
    name: type.label,
    recordTypeId: type.id,
    urls: { layout: `${base}/describe/layouts/${type.id}` },
  }))
}

function makeUrls(object: ObjectType, version: ApiVersion) {
  const base = `${version.path}/sobjects/${object.name}`
  return {
    compactLayouts: `${base}/describe/compactLayouts`,
    rowTemplate: `${base}/{ID}`,
    approvalLayouts: `${base}/describe/approvalLayouts`,
    listviews: `${base}/listviews`,
    describe: `${base}/describe`,
    quickActions: `${base}/quickActions`,
    layouts: `${base}/describe/layouts`,
    sobject: base,
  }
}

/** True if queries make its records, which then have no ids and addresses of their own. */
const isPerCaller = ({ definition }: ObjectType): boolean => definition.view?.perCaller === true

/** True if a query may name it, and needs no filter of its own: such an object is read as a whole. */
export const isQueryable = ({ name, definition: { view } }: ObjectType): boolean =>
  view?.needsFilter !== true && view?.childOnly !== true && !isEventObject(name)

/** True if its records are the same for all callers, and stay. */
export const isReplicateable = (object: ObjectType): boolean =>
  !isPerCaller(object) && !isEventObject(object.name)

/** True if it is remembered who used which of its records lately. */
export const keepsRecent = (object: ObjectType): boolean =>
  !isPerCaller(object) &&
  (object.field('OwnerId') !== undefined || object.field('LastViewedDate') !== undefined)

/** One entry of the describe global; the keys are the same for every object. (docs/reference/api/metadata.md#describe-of-all-objects) */
export function describeBriefly(object: ObjectType, version: ApiVersion) {
  const { definition, custom } = object
  const createable = definition.createable !== false
  const deletable = definition.deletable !== false
  const owned = object.field('OwnerId') !== undefined
  return {
    activateable: false,
    associateEntityType: null,
    associateParentEntity: null,
    createable,
    custom,
    customSetting: definition.setting !== undefined,
    deepCloneable: false,
    deletable,
    deprecatedAndHidden: false,
    feedEnabled: false,
    hasSubtypes: false,
    isInterface: false,
    isSubtype: false,
    keyPrefix: isPerCaller(object) ? null : object.keyPrefix,
    label: definition.label,
    labelPlural: definition.labelPlural,
    layoutable: owned && definition.view === undefined,
    mergeable: false,
    mruEnabled: keepsRecent(object),
    name: object.name,
    queryable: isQueryable(object),
    replicateable: isReplicateable(object),
    retrieveable: isReplicateable(object) || object.definition.view?.childOnly === true,
    searchable: definition.searchable !== false,
    triggerable: definition.view === undefined && !isMetadataType(object.name),
    undeletable: deletable && definition.undeletable !== false,
    updateable: definition.updateable !== false,
    urls: makeUrls(object, version),
  }
}

function describeChild(child: ChildRelationship) {
  const { describedDelete } = child.field.definition
  return {
    cascadeDelete: child.onDelete === 'cascade' || describedDelete !== undefined,
    childSObject: child.childObject,
    deprecatedAndHidden: false,
    field: child.field.name,
    junctionIdListNames: [],
    junctionReferenceTo: [],
    relationshipName: child.name ?? null,
    restrictedDelete: child.onDelete === 'restrict' || describedDelete === 'cascade and restrict',
  }
}

/** Everything about an object as it is in a schema. `origin` is the server's address, for the addresses of pages. (docs/reference/api/metadata.md#describe-of-an-object) */
export function describeFully(
  schema: SchemaSnapshot,
  object: ObjectType,
  version: ApiVersion,
  origin: string,
) {
  const brief = describeBriefly(object, version)
  const base = brief.urls.sobject
  return {
    actionOverrides: [],
    ...brief,
    childRelationships: object.children.map(describeChild),
    compactLayoutable: brief.layoutable,
    defaultImplementation: null,
    extendedBy: null,
    extendsInterfaces: null,
    fields: object.fields.map((field) => describeFieldOf(schema, object, field)),
    implementedBy: null,
    implementsInterfaces: null,
    listviewable: null,
    lookupLayoutable: null,
    namedLayoutInfos: (object.definition.namedLayouts ?? []).map((name) => ({
      name,
      urls: { layout: `${base}/describe/namedLayouts/${name}` },
    })),
    networkScopeFieldName: null,
    recordTypeInfos: recordTypeInfos(object, base),
    searchLayoutable: brief.layoutable,
    sobjectDescribeOption: 'FULL',
    supportedScopes: supportedScopes(object),
    urls: {
      ...brief.urls,
      uiDetailTemplate: `${origin}/{ID}`,
      uiEditTemplate: `${origin}/{ID}/e`,
      uiNewRecord: `${origin}/${object.keyPrefix}/e`,
      defaultValues: `${base}/defaultValues?recordTypeId&fields`,
    },
  }
}

/** The describe global. (docs/reference/api/metadata.md#describe-of-all-objects) */
export function describeAll({ objects }: Pick<SchemaSnapshot, 'objects'>, version: ApiVersion) {
  return {
    encoding: 'UTF-8',
    maxBatchSize: 200,
    sobjects: objects.map((object) => describeBriefly(object, version)),
  }
}
