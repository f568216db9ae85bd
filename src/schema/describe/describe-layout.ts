import { derivedRecordId } from '../../base/record-id.ts'
import type { Field } from '../fields/field.ts'
import { allowedPicklistValues } from '../objects/allowed-values.ts'
import type { ObjectType } from '../objects/object-type.ts'
import { getRecordTypes } from '../record-types/get-record-types.ts'
import type { SchemaSnapshot } from '../snapshot/snapshot.ts'
import { describeValue, findController } from './describe-field.ts'
import { isWritable, type LayoutLocation, layoutItem, signatureItem } from './layout-item.ts'
import { relatedLists } from './related-list.ts'

const COLUMNS = 2

const layoutId = (object: ObjectType) => derivedRecordId('00h', object.keyPrefix)
const sectionId = (object: ObjectType, at: number) => derivedRecordId('01B', object.keyPrefix, at)

type Item = ReturnType<typeof layoutItem>

function makeRows(items: readonly Item[]) {
  const rows = []
  for (let at = 0; at < items.length; at += COLUMNS) {
    const layoutItems = items.slice(at, at + COLUMNS)
    rows.push({ layoutItems, numItems: layoutItems.length })
  }
  return rows
}

function section(object: ObjectType, at: number, heading: string, items: readonly Item[]) {
  const layoutRows = makeRows(items)
  return {
    collapsed: false,
    columns: COLUMNS,
    heading,
    layoutRows,
    layoutSectionId: sectionId(object, at),
    parentLayoutId: layoutId(object),
    rows: layoutRows.length,
    tabOrder: 'LeftToRight',
    useCollapsibleSection: false,
    useHeading: at > 0,
  }
}

/** The record that a deleted one was merged into: a page ends with it, as it is empty nearly everywhere. */
const MERGED_INTO = 'MasterRecordId'

/** Fields that a page shows first, the name before all: system fields follow, and parts are shown in their compound field. */
function ownFields({ fields, nameField }: ObjectType): Field[] {
  const own = fields.filter((field) => {
    const { compound } = field.definition
    return !field.system && !fields.some((whole) => whole.name === compound && whole.parts.length > 0)
  })
  const place = ({ name }: Field) => (name === nameField?.name ? 0 : name === MERGED_INTO ? 2 : 1)
  return own.sort((a, b) => place(a) - place(b))
}

function systemItems(location: LayoutLocation): Item[] {
  const signature = (label: string, name: string, time: string, order: number) => {
    const [by, at] = [location.object.field(name), location.object.field(time)]
    return by === undefined || at === undefined ? [] : [signatureItem(location, label, [by, at], order)]
  }
  return [
    ...signature('Created By', 'CreatedById', 'CreatedDate', 1),
    ...signature('Last Modified By', 'LastModifiedById', 'LastModifiedDate', 2),
  ]
}

const makeSections = (location: LayoutLocation, fields: readonly Field[]) => {
  const { object } = location
  const items = fields.map((field, at) => layoutItem(location, field, at + 1))
  return section(object, 0, `${object.definition.label} Information`, items)
}

/**
 * How a page of an object is laid out: there is one layout, and it follows from the definition. The name, every other
 * field in the definition's order in two columns, then what the platform keeps.
 */
export function describeLayout(schema: SchemaSnapshot, object: ObjectType) {
  const location = { schema, object }
  const fields = ownFields(object)
  return {
    buttonLayoutSection: { detailButtons: [] },
    detailLayoutSections: [
      makeSections(location, fields),
      section(object, 1, 'System Information', systemItems(location)),
    ],
    editLayoutSections: [makeSections(location, fields.filter(isWritable))],
    feedView: null,
    highlightsPanelLayoutSection: null,
    id: layoutId(object),
    multirowEditLayoutSections: [],
    offlineLinks: [],
    quickActionList: { quickActionListItems: [] },
    relatedContent: null,
    relatedLists: relatedLists(schema, object),
    saveOptions: [],
  }
}

type OwnType = ReturnType<typeof getRecordTypes>[number]

const picklistsFor = (object: ObjectType, type: OwnType) =>
  object.fields
    .filter(({ picklist }) => picklist.length > 0)
    .map((field) => {
      const controller = findController(object, field)
      return {
        picklistName: field.name,
        picklistValues: allowedPicklistValues(field, type).map((entry) => describeValue(entry, controller)),
      }
    })

/** The answer of `/describe/layouts`, whose address is `base`. */
export function describeLayouts(schema: SchemaSnapshot, object: ObjectType, base: string) {
  const types = getRecordTypes(object)
  const choices = types.filter((type) => !type.master && type.inactive !== true)
  return {
    layouts: [describeLayout(schema, object)],
    recordTypeMappings: types.map((type) => ({
      active: type.inactive !== true,
      available: type.inactive !== true,
      defaultRecordTypeMapping: type.isDefault,
      developerName: type.name,
      layoutId: layoutId(object),
      master: type.master,
      name: type.label,
      picklistsForRecordType: picklistsFor(object, type),
      recordTypeId: type.id,
      urls: { layout: `${base}/${type.id}` },
    })),
    recordTypeSelectorRequired: [choices.length > 1],
  }
}

/** Pages that are about no object: there is nothing on them. */
export const GLOBAL_LAYOUTS = {
  layouts: [],
  recordTypeMappings: [],
  recordTypeSelectorRequired: [false],
} as const
