import type { FieldFile } from '../../definitions/field-file.ts'
import { type FieldSource, findLocation } from './field-source.ts'

/** Reads a roll-up as a stored field with the type of the summarized field. */
export function readSummary(source: FieldSource): FieldFile {
  const { xml, project } = source
  const operation = xml.text('summaryOperation') ?? 'count'
  const summed = xml.text('summarizedField')
  const key = xml.text('summaryForeignKey')
  const filters = xml
    .all('summaryFilterItems')
    .map((item) => `${item.text('field')} ${item.text('operation')} ${item.text('value') ?? ''}`.trim())
  const where = filters.length > 0 ? ` where ${filters.join(', ')}` : ''
  project.pad.add(
    'rollUp',
    findLocation(source),
    `${operation} of ${summed ?? 'the records'} by ${key}${where}`,
  )
  if (operation === 'count') return { type: 'double', precision: 18, scale: 0 }
  const known = summed === undefined ? undefined : project.fieldAt(summed)
  if (known === undefined) {
    project.pad.add(
      'type',
      findLocation(source),
      `${summed} is not among the files: a number with two decimals`,
    )
    return { type: 'double', precision: 18, scale: 2 }
  }
  const { type, scale } = known
  return { type, ...(scale !== undefined && { precision: 18, scale }) }
}
