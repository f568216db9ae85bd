import { type FieldFile, mayTrackType } from '../../definitions/field-file.ts'
import { FIELD_READERS } from './field-readers.ts'
import { type FieldSource, findLocation } from './field-source.ts'
import { readDefault } from './read-default.ts'

/** Elements whose content is read elsewhere. */
const READ_ELSEWHERE = ['fullName', 'type', 'label']

const oneLine = (text: string) => text.replaceAll(/\s+/g, ' ').trim()

/** The label, help text and description of a field. */
export function readTexts({ xml }: FieldSource): FieldFile {
  const [label, help, description] = [xml.text('label'), xml.text('inlineHelpText'), xml.text('description')]
  return {
    ...(label !== undefined && { label }),
    ...(help !== undefined && { help }),
    ...(description !== undefined && { description }),
  }
}

/** Whether changes of the field are kept, if they can be. */
export function readTracking({ xml }: FieldSource, canBe: boolean): FieldFile {
  return xml.isTrue('trackHistory') && canBe ? { trackHistory: true } : {}
}

function readDefaultValue(source: FieldSource, type: FieldFile['type']): FieldFile {
  const { xml, project } = source
  const formula = xml.text('defaultValue')
  if (formula === undefined) return {}
  const value = readDefault(type, formula)
  if (value !== undefined) return value === false ? {} : { default: value }
  project.pad.add('default', findLocation(source), oneLine(formula))
  return {}
}

/** Notes a formula, whose field is imported as a stored field. */
function readFormula(source: FieldSource, formula: string): void {
  const { xml, project } = source
  const blanks = xml.text('formulaTreatBlanksAs') === 'BlankAsZero' ? ' (blanks count as 0)' : ''
  project.pad.add('formula', findLocation(source), `${oneLine(formula)}${blanks}`)
}

/** Notes unread elements by name, once for an object. */
export function noteUnread({ xml, object, project }: FieldSource): void {
  for (const name of READ_ELSEWHERE) xml.all(name)
  for (const name of xml.unread()) project.pad.collect('display', object, name)
}

/** Makes the file form of a field. */
export function importField(source: FieldSource): FieldFile {
  const { xml, project } = source
  const type = xml.text('type') ?? ''
  const formula = xml.text('formula')
  if (formula !== undefined) readFormula(source, formula)
  if (!Object.hasOwn(FIELD_READERS, type)) {
    project.pad.add('type', findLocation(source), `${type || 'no type'}: a text of 255 characters now`)
  }
  const read = Object.hasOwn(FIELD_READERS, type) ? FIELD_READERS[type]! : FIELD_READERS.Text!
  const field = read(source)
  const whole = {
    ...readTexts(source),
    ...field,
    ...readTracking(source, mayTrackType(field.type)),
    ...readDefaultValue(source, field.type),
  }
  noteUnread(source)
  return whole
}
