import { MAX_RECORDS } from '../../definitions/checks/checking.ts'
import { makeLabel } from '../../definitions/formats/definition-name.ts'
import type { ObjectFile, RecordFile } from '../../definitions/formats/object-file.ts'
import { LABELS } from '../../schema/definitions/definition.ts'
import { maxRecordName } from '../../schema/objects/metadata-type-fields.ts'
import type { NotePad } from '../notes.ts'
import type { MetadataElement } from './project/metadata-element.ts'

/** Most characters of a text that formulas can read. */
const MAX_TEXT = 255
/** Most characters of the label of a record. */
const MAX_LABEL = maxRecordName(LABELS.type)

function importLabel(xml: MetadataElement, pad: NotePad): readonly [string, RecordFile] | undefined {
  const [name = '', text = '', label] = ['fullName', 'value', 'shortDescription'].map((one) => xml.text(one))
  if ([...text].length > MAX_TEXT) {
    pad.add('settings', `label ${name}`, `is longer than ${MAX_TEXT} characters, more than formulas can read`)
    return undefined
  }
  const isShort = label !== undefined && label !== '' && [...label].length <= MAX_LABEL
  const shown = isShort ? label : makeLabel(name).slice(0, MAX_LABEL).trimEnd()
  return [name, { ...(shown !== makeLabel(name) && { label: shown }), values: { [LABELS.field]: text } }]
}

/**
 * Makes the metadata type whose records are the labels of the project, one at a time; undefined without any.
 * @param known names of labels that there are and that stay
 */
export function* importLabels(
  parts: readonly MetadataElement[],
  known: readonly string[],
  pad: NotePad,
): Generator<void, ObjectFile | undefined> {
  const labels = parts.flatMap((part) => part.all('labels'))
  const there = new Set(known)
  const records: (readonly [string, RecordFile])[] = []
  for (const xml of labels) {
    yield
    const name = xml.text('fullName') ?? ''
    // Before it is read: that takes longer the more there are.
    if (there.size >= MAX_RECORDS && !there.has(name)) {
      pad.add('refused', `label ${name}`, `there would be more than ${MAX_RECORDS} labels`)
      continue
    }
    there.add(name)
    const record = importLabel(xml, pad)
    if (record !== undefined) records.push(record)
  }
  if (records.length === 0) return undefined
  return {
    label: 'Label',
    fields: { [LABELS.field]: { type: 'string', length: MAX_TEXT } },
    records: Object.fromEntries(records),
  }
}
