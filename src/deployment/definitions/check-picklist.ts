import { didYouMean } from '../../base/nearest.ts'
import type { FieldDefinition } from '../../schema/definitions/definition.ts'
import { FIELD_TYPES } from '../../schema/fields/registry.ts'
import { type Checking, same } from './checking.ts'
import type { Problem } from './problem.ts'

const getValues = (field: FieldDefinition) =>
  (field.values ?? []).map((entry) => (typeof entry === 'string' ? entry : entry.value))

function checkValues(field: FieldDefinition, path: Problem['path']): Problem[] {
  const texts = getValues(field)
  const lower = texts.map((value) => value.toLowerCase())
  const { separator } = FIELD_TYPES[field.type]
  const problems: Problem[] = []
  for (const [at, value] of texts.entries()) {
    const here = [...path, 'values', at]
    if (value.trim() !== value || value === '') {
      problems.push({ path: here, message: 'a value is not empty and has no blanks around it' })
    } else if (lower.indexOf(value.toLowerCase()) < at) {
      problems.push({ path: here, message: `"${value}" stands here twice: case makes no difference` })
    } else if (value.length > (field.length ?? 255)) {
      problems.push({
        path: here,
        message: `"${value}" is longer than the field, ${field.length} characters`,
      })
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

function checkController({ object }: Checking, field: FieldDefinition, path: Problem['path']): Problem[] {
  const dependent = (field.values ?? []).flatMap((entry, at) =>
    typeof entry !== 'string' && entry.validFor !== undefined ? [{ at, validFor: entry.validFor }] : [],
  )
  if (field.controller === undefined) {
    return dependent.map(({ at }) => ({
      path: [...path, 'values', at, 'validFor'],
      message: 'there is no controlling field; write controller: beside the values',
    }))
  }
  const controller = object.fields.find((known) => same(known.name, field.controller!))
  const values = controller && controllingValues(controller)
  if (values === undefined || controller === field) {
    const others = object.fields.filter((other) => other !== field && controllingValues(other) !== undefined)
    const names = others.map(({ name }) => name)
    const message = `${field.controller} is no picklist or boolean of ${object.name}${didYouMean(field.controller, names)}`
    return [{ path: [...path, 'controller'], message }]
  }
  return dependent.flatMap(({ at, validFor }) =>
    validFor.flatMap((value, index) =>
      values.includes(value)
        ? []
        : [
            {
              path: [...path, 'values', at, 'validFor', index],
              message: `${controller!.name} has no value "${value}"${didYouMean(value, values)}`,
            },
          ],
    ),
  )
}

/** Finds problems in the picklist values of a field. */
export function checkPicklist(checking: Checking, name: string, path: Problem['path']): Problem[] {
  const field = checking.object.fields.find((known) => same(known.name, name))!
  const written = checking.file.fields?.[name]
  if (FIELD_TYPES[field.type].listed !== true) {
    return written?.values === undefined && written?.valueSet === undefined
      ? []
      : [{ path: [...path, 'values'], message: `a ${field.type} has no values` }]
  }
  const { valueSet } = field
  if (valueSet !== undefined && !checking.valueSets.includes(valueSet)) {
    const message = `there is no value set ${valueSet}${didYouMean(valueSet, checking.valueSets)}; write value-sets/${valueSet}.yaml`
    return [{ path: [...path, 'valueSet'], message }]
  }
  return [...checkValues(field, path), ...checkController(checking, field, path)]
}
