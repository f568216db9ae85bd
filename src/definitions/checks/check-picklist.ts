import { didYouMean } from '../../base/nearest.ts'
import type { FieldDefinition } from '../../schema/fields/field-definition.ts'
import { FIELD_TYPES } from '../../schema/fields/registry.ts'
import type { Checking } from './checking.ts'
import type { Problem } from './problem.ts'

/** Of a value, also where a field has several. (docs/reference/definition-files.md#fields) */
const MAX_VALUE_LENGTH = 255

const getValues = (field: FieldDefinition) =>
  (field.values ?? []).map((entry) => (typeof entry === 'string' ? entry : entry.value))

function checkValues(field: FieldDefinition, path: Problem['path']): Problem[] {
  const texts = getValues(field)
  const seen = new Set<string>()
  const { separator } = FIELD_TYPES[field.type]
  const max = Math.min(field.length ?? MAX_VALUE_LENGTH, MAX_VALUE_LENGTH)
  const problems: Problem[] = []
  for (const [at, value] of texts.entries()) {
    const here = [...path, 'values', at]
    const lower = value.toLowerCase()
    const isTwin = seen.has(lower)
    seen.add(lower)
    if (value.trim() !== value || value === '') {
      problems.push({ path: here, message: 'a value is not empty and has no blanks around it' })
    } else if (isTwin) {
      problems.push({ path: here, message: `"${value}" stands here twice: case makes no difference` })
    } else if (value.length > max) {
      problems.push({ path: here, message: `"${value}" is longer than ${max} characters` })
    } else if (separator !== undefined && value.includes(separator)) {
      problems.push({ path: here, message: `"${value}" has a ${separator} which stands between values` })
    }
  }
  const defaults = (field.values ?? []).filter((entry) => typeof entry !== 'string' && entry.default === true)
  if (defaults.length > 1)
    problems.push({ path: [...path, 'values'], message: 'more than one value is the default' })
  return problems
}

/** Values of a controlling field; undefined when the field cannot control a picklist. */
const controllingValues = (controller: FieldDefinition): readonly string[] | undefined =>
  FIELD_TYPES[controller.type].controllingValues?.(getValues(controller))

function* checkController(
  { object, fields }: Checking,
  field: FieldDefinition,
  path: Problem['path'],
): Generator<Problem[]> {
  const dependent = (field.values ?? []).flatMap((entry, at) =>
    typeof entry !== 'string' && entry.validFor !== undefined ? [{ at, validFor: entry.validFor }] : [],
  )
  if (field.controller === undefined) {
    yield dependent.map(({ at }) => ({
      path: [...path, 'values', at, 'validFor'],
      message: 'there is no controlling field; write controller: beside the values',
    }))
    return
  }
  const controller = fields.get(field.controller.toLowerCase())
  const values = controller && controllingValues(controller)
  if (values === undefined || controller === field) {
    const others = object.fields.filter((other) => other !== field && controllingValues(other) !== undefined)
    const names = others.map(({ name }) => name)
    const message = `${field.controller} is no picklist or boolean of ${object.name}${didYouMean(field.controller, names)}`
    yield [{ path: [...path, 'controller'], message }]
    return
  }
  const known = new Set(values)
  for (const { at, validFor } of dependent) {
    for (const [index, value] of validFor.entries()) {
      if (known.has(value)) continue
      const message = `${controller!.name} has no value "${value}"${didYouMean(value, values)}`
      yield [{ path: [...path, 'values', at, 'validFor', index], message }]
    }
  }
}

/** Finds problems in the picklist values of a field. */
export function* checkPicklist(
  checking: Checking,
  name: string,
  path: Problem['path'],
): Generator<Problem[]> {
  const field = checking.fields.get(name.toLowerCase())!
  const written = checking.file.fields?.[name]
  if (FIELD_TYPES[field.type].listed !== true) {
    if (written?.values === undefined && written?.valueSet === undefined) return
    yield [{ path: [...path, 'values'], message: `a ${field.type} has no values` }]
    return
  }
  const { valueSet } = field
  if (valueSet !== undefined && !checking.valueSets.has(valueSet)) {
    const message = `there is no value set ${valueSet}${didYouMean(valueSet, checking.valueSets)}; write value-sets/${valueSet}.yaml`
    yield [{ path: [...path, 'valueSet'], message }]
    return
  }
  yield checkValues(field, path)
  yield* checkController(checking, field, path)
}
