import type { FieldFile } from '../../../definitions/formats/field-file.ts'
import { FIELD_TYPES } from '../../../schema/fields/registry.ts'
import { type FieldSource, findLocation, type Project } from './field-source.ts'
import { makeFilter } from './summary-filter.ts'

/** `Line__c.Amount__c` as the names of the object and the field. */
const split = (path: string): [string, string] => {
  const [object = '', field = ''] = path.split('.')
  return [object, field]
}

/** The type of a roll-up: that of the summarized field. */
function findType(project: Project, source: FieldSource, summed: string | undefined): FieldFile {
  if (summed === undefined) return { type: 'double', precision: 18, scale: 0 }
  const known = project.fieldAt(summed)
  if (known === undefined) {
    project.pad.add(
      'type',
      findLocation(source),
      `${summed} is not among the files: a number with two decimals`,
    )
    return { type: 'double', precision: 18, scale: 2 }
  }
  const type = known.type && (FIELD_TYPES[known.type].rollUp?.result ?? known.type)
  return { type, ...(known.scale !== undefined && { precision: 18, scale: known.scale }) }
}

/** Reads a roll-up. Where its filter cannot be said by a formula, it is a stored field of the same type. */
export function readSummary(source: FieldSource): FieldFile {
  const { xml, project } = source
  const operation = xml.text('summaryOperation') ?? 'count'
  const summed = operation === 'count' ? undefined : xml.text('summarizedField')
  const [object, reference] = split(xml.text('summaryForeignKey') ?? '')
  const type = findType(project, source, summed)
  const filters = xml.all('summaryFilterItems').map((item) => ({
    path: item.text('field') ?? '',
    operation: item.text('operation') ?? 'equals',
    value: item.text('value') ?? '',
    valueField: item.text('valueField'),
  }))
  const conditions = filters.map((filter) =>
    makeFilter(filter, project.fieldAt(filter.path), (label) => project.recordTypesWith(object, label)),
  )
  const failed = filters.filter((_filter, index) => conditions[index] === undefined)
  if (failed.length > 0 || !['count', 'sum', 'min', 'max'].includes(operation)) {
    const told = failed.map((one) => `${one.path} ${one.operation} ${one.valueField ?? one.value}`.trim())
    const what = told.length > 0 ? `its filter ${told.join(', ')}` : `its operation ${operation}`
    project.pad.add('rollUp', findLocation(source), `${what} is not known here`)
    return type
  }
  return {
    ...type,
    rollUp: {
      object,
      reference,
      function: operation as 'count' | 'sum' | 'min' | 'max',
      ...(summed !== undefined && { field: split(summed)[1] }),
      ...(conditions.length > 0 && { filter: conditions.join(' && ') }),
    },
  }
}
