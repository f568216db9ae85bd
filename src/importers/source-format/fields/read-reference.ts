import type { FieldFile } from '../../../definitions/formats/field-file.ts'
import { getNamespacePrefix } from '../../../schema/definitions/custom-name.ts'
import type { MetadataElement } from '../project/metadata-element.ts'
import { type FieldSource, findLocation } from './field-source.ts'

const ON_DELETE = new Map<string, FieldFile['onDelete']>([
  ['Cascade', 'cascade'],
  ['Restrict', 'restrict'],
])

/** `(Account.Type equals Customer) and (...)` */
function filterText(filter: MetadataElement): string {
  const items = filter.all('filterItems').map((item) => {
    const value = item.text('value') ?? item.text('valueField') ?? ''
    return `${item.text('field')} ${item.text('operation')} ${value}`.trim()
  })
  for (const name of ['active', 'booleanFilter', 'errorMessage', 'infoMessage', 'isOptional'])
    filter.all(name)
  return items.join(', ')
}

/** The way down of a package's field has its prefix: `npe01__OppPayment__r`. */
function makeChildrenName(field: string, relationship: string): string {
  const prefix = relationship.includes('__') ? '' : getNamespacePrefix(field)
  return `${prefix}${relationship}__r`
}

/** Reads a lookup, a master-detail reference or a hierarchical reference between users. */
export function readReference(source: FieldSource): FieldFile {
  const { xml, project, object } = source
  const children = xml.text('relationshipName')
  const filter = xml.one('lookupFilter')
  if (filter !== undefined) project.pad.add('filter', findLocation(source), filterText(filter))
  const isHierarchy = xml.text('type') === 'Hierarchy'
  const common: FieldFile = {
    type: 'reference',
    to: isHierarchy ? [object] : xml.texts('referenceTo'),
    ...(children !== undefined && { children: makeChildrenName(source.name, children) }),
  }
  if (xml.text('type') !== 'MasterDetail') {
    const onDelete = ON_DELETE.get(xml.text('deleteConstraint') ?? '')
    return {
      ...common,
      ...(onDelete !== undefined && { onDelete }),
      ...(xml.isTrue('required') && { required: true }),
    }
  }
  if (xml.isTrue('writeRequiresMasterRead')) {
    project.pad.add('access', findLocation(source), 'whoever may read the master may write its details there')
  }
  return {
    ...common,
    masterDetail: xml.number('relationshipOrder') === 1 ? 1 : 0,
    ...(xml.isTrue('reparentableMasterDetail') && { reparentable: true }),
  }
}
