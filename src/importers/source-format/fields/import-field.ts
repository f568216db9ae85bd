import type { FieldFile } from '../../../definitions/formats/field-file.ts'
import { FIELD_TYPES, type FieldTypeName } from '../../../schema/fields/registry.ts'
import { removeFormulaTokens } from '../project/source-file.ts'
import { FIELD_READERS } from './field-readers.ts'
import { type FieldSource, findLocation } from './field-source.ts'
import { readDefault } from './read-default.ts'
import { readAhead } from './read-values.ts'

/** Elements whose content is read elsewhere. */
const READ_ELSEWHERE = ['fullName', 'type', 'label']

/** The label, help text and description of a field. */
export function readTexts({ xml }: FieldSource): FieldFile {
  const [label, help, description] = [xml.text('label'), xml.text('inlineHelpText'), xml.text('description')]
  return {
    ...(label !== undefined && { label }),
    ...(help !== undefined && { help }),
    ...(description !== undefined && { description }),
  }
}

/** True if changes of the field are kept, if they can be. */
export function readTracking({ xml }: FieldSource, canBe: boolean): FieldFile {
  return xml.isTrue('trackHistory') && canBe ? { trackHistory: true } : {}
}

function readDefaultValue(source: FieldSource, type: FieldTypeName): FieldFile {
  const { xml } = source
  const formula = xml.text('defaultValue')
  if (formula === undefined) return {}
  const value = readDefault(type, formula)
  if (value !== undefined) return value === false ? {} : { default: value }
  return { defaultFormula: removeFormulaTokens(formula) }
}

/** A field that a formula computes: nothing of what values could be told is left. */
function readFormula({ xml }: FieldSource, formula: string, field: FieldFile): FieldFile {
  const { type, precision, scale } = field
  return {
    type,
    ...(precision !== undefined && { precision }),
    ...(scale !== undefined && { scale }),
    formula: removeFormulaTokens(formula),
    ...(xml.text('formulaTreatBlanksAs') === 'BlankAsBlank' && { blanks: 'blank' }),
  }
}

/** Notes unread elements by name, once for an object. */
export function* noteUnread({ xml, object, project }: FieldSource): Generator<void, void> {
  for (const name of READ_ELSEWHERE) xml.all(name)
  for (const name of yield* xml.unreadInSlices()) project.pad.collect('display', object, name)
}

/** Makes the file form of a field. Takes a pause after each value of a picklist. */
export function* importField(source: FieldSource): Generator<void, FieldFile> {
  const { xml, project } = source
  yield* readAhead(xml)
  const type = xml.text('type') ?? ''
  const formula = xml.text('formula')
  if (!Object.hasOwn(FIELD_READERS, type)) {
    project.pad.add('type', findLocation(source), `${type || 'no type'}: a text of 255 characters now`)
  }
  const read = Object.hasOwn(FIELD_READERS, type) ? FIELD_READERS[type]! : FIELD_READERS.Text!
  const field = read(source)
  if (formula !== undefined) {
    const computed = { ...readTexts(source), ...readFormula(source, formula, field) }
    for (const name of ['required', 'unique', 'externalId', 'length', 'trackHistory']) xml.all(name)
    yield* noteUnread(source)
    return computed
  }
  const whole = {
    ...readTexts(source),
    ...field,
    ...readTracking(source, FIELD_TYPES[field.type!].file!.properties.includes('trackHistory')),
    ...readDefaultValue(source, field.type!),
  }
  yield* noteUnread(source)
  return whole
}
