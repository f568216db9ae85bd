import { MAX_RECORDS } from '../../definitions/checks/checking.ts'
import { makeLabel } from '../../definitions/formats/definition-name.ts'
import type { FieldFile } from '../../definitions/formats/field-file.ts'
import type { ObjectFile, RecordFile } from '../../definitions/formats/object-file.ts'
import { LABELS } from '../../schema/definitions/definition.ts'
import { maxRecordName } from '../../schema/objects/metadata-type-fields.ts'
import type { NotePad } from '../notes.ts'
import type { MetadataElement } from './project/metadata-element.ts'

/** Most characters of a text that formulas can read. */
const MAX_TEXT = 255
/** Most characters of the label of a record. */
const MAX_LABEL = maxRecordName(LABELS.type)

/** The language of labels that do not say theirs. */
const LANGUAGE = 'en_US'

/** The fields of the type. Those beside the text are there if a label needs them. */
const FIELDS = {
  [LABELS.field]: { type: 'string', length: MAX_TEXT },
  [LABELS.categories]: { type: 'string', length: MAX_TEXT },
  [LABELS.language]: { type: 'string', length: 10 },
  [LABELS.protected]: { type: 'boolean' },
} as const satisfies Readonly<Record<string, FieldFile>>

function importLabel(xml: MetadataElement, pad: NotePad): readonly [string, RecordFile] | undefined {
  const [name = '', text = '', label = ''] = ['fullName', 'value', 'shortDescription'].map((one) =>
    xml.text(one),
  )
  const [categories, language = LANGUAGE] = [xml.text('categories'), xml.text('language')]
  const isProtected = xml.isTrue('protected')
  const note = (what: string) => pad.add('settings', `label ${name}`, what)
  if ([...text].length > MAX_TEXT) {
    note(`is longer than ${MAX_TEXT} characters, more than formulas can read`)
    return undefined
  }
  const isKept = categories !== undefined && [...categories].length <= MAX_TEXT
  if (categories !== undefined && !isKept) note(`its categories are longer than ${MAX_TEXT} characters`)
  const isShort = [...label].length <= MAX_LABEL
  if (!isShort) note(`its description is longer than ${MAX_LABEL} characters`)
  const shown = isShort && label !== '' ? label : makeLabel(name).slice(0, MAX_LABEL).trimEnd()
  const values = {
    [LABELS.field]: text,
    ...(isKept && { [LABELS.categories]: categories }),
    ...(language !== LANGUAGE && { [LABELS.language]: language }),
    ...(isProtected && { [LABELS.protected]: true }),
  }
  return [name, { ...(shown !== makeLabel(name) && { label: shown }), values }]
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
  const isUsed = ([field]: readonly [string, FieldFile]) =>
    field === LABELS.field || records.some(([, { values = {} }]) => Object.hasOwn(values, field))
  return {
    label: 'Label',
    fields: Object.fromEntries(Object.entries<FieldFile>(FIELDS).filter(isUsed)),
    records: Object.fromEntries(records),
  }
}
