import { nearest } from '../../base/nearest.ts'
import type { Binder } from '../../formulas/check/check-formula.ts'
import type { Formula, Target } from '../../formulas/language/expression.ts'
import { FormulaError } from '../../formulas/language/formula-error.ts'
import type { Facts, FormulaPlace } from '../../formulas/language/formula-type.ts'
import { toDays } from '../../formulas/values/civil-date.ts'
import { isMetadataType } from '../definitions/custom-name.ts'
import { LABELS } from '../definitions/definition.ts'
import { type Field, isStored, type ParentStep } from '../fields/field.ts'
import { RECORD_TYPE_ID } from '../objects/expand-definition.ts'
import type { ObjectType } from '../objects/object-type.ts'
import { callerRecords } from '../objects/records.sql.ts'

/** Relationships that a name may follow. */
const MAX_STEPS = 10

/**
 * Where a name starts: at the record, at a record that the caller decides (`$Setup.Rates__c`: the custom setting for them), at a
 * record that the name says (`$CustomMetadata.Rate__mdt.Usual`), or at a permission that the caller has or has not.
 */
export type TargetRoot =
  | 'record'
  | '$User'
  | '$Organization'
  | `$Setup.${string}`
  | `$CustomMetadata.${string}.${string}`
  | `$Permission.${string}`

/** A field that a formula refers to. */
export interface FieldTarget extends Target {
  readonly root: TargetRoot
  readonly steps: readonly ParentStep[]
  /** The object that has the field. */
  readonly object: ObjectType
  readonly field: Field
}

export const isFieldTarget = (target: Target): target is FieldTarget => 'field' in target

export type FindObject = (name: string) => ObjectType | undefined

/** Parts of names that stand for a way from the caller. */
const GLOBALS: Readonly<
  Record<string, { readonly root: TargetRoot; readonly object: string; readonly way: readonly string[] }>
> = {
  $USER: { root: '$User', object: 'User', way: [] },
  $PROFILE: { root: '$User', object: 'User', way: ['Profile'] },
  $USERROLE: { root: '$User', object: 'User', way: ['UserRole'] },
  $ORGANIZATION: { root: '$Organization', object: 'Organization', way: [] },
}

/** Fields of a queue that have other names than those of a group. */
const QUEUE_FIELDS: Readonly<Record<string, string>> = { queuename: 'Name', queueemail: 'Email' }

const isQueue = (segment: string | undefined) => segment?.split(':')[1]?.toLowerCase() === 'queue'

/** Values that are the same in every org. */
const CONSTANTS: Readonly<Record<string, Target>> = {
  '$SYSTEM.ORIGINDATETIME': {
    name: '$System.OriginDateTime',
    type: 'DateTime',
    facts: { reach: 0 },
    isImmutable: true,
    constant: toDays(1900, 1, 1) * 86_400,
  },
  '$USER.UITHEME': makeTheme('$User.UITheme'),
  '$USER.UITHEMEDISPLAYED': makeTheme('$User.UIThemeDisplayed'),
}

/** The look of pages, which is one for all users here. */
function makeTheme(name: string): Target {
  return { name, type: 'Text', facts: { length: 7 }, isImmutable: false, constant: 'Theme4d' }
}

const DEFAULT_LENGTH = 255

function makeFacts({ definition, type }: Field): Facts {
  const known = type.formula!
  switch (known.type) {
    case 'Number': {
      if (type.parameter === 'integer') return { scale: 0, digits: 10 }
      const { precision = 18, scale = 0 } = definition
      return { scale, digits: precision - scale }
    }
    case 'Date':
    case 'DateTime':
      return { reach: 0 }
    case 'Text':
    case 'Picklist':
    case 'MultiPicklist':
      return known.isId === true
        ? { length: 15, isId: true }
        : { length: definition.length ?? DEFAULT_LENGTH }
    default:
      return {}
  }
}

/** The formula of a field that another one refers to, or why there is none. */
export type FindFormula = (field: Field, at: number) => Formula | undefined

/** Resolves names of fields against the objects of a schema, from one object. */
export class SchemaBinder implements Binder {
  readonly #object: ObjectType
  readonly #findObject: FindObject
  readonly #place: FormulaPlace
  readonly #findFormula: FindFormula

  constructor(object: ObjectType, findObject: FindObject, place: FormulaPlace, findFormula: FindFormula) {
    this.#object = object
    this.#findObject = findObject
    this.#place = place
    this.#findFormula = findFormula
  }

  resolve(name: string, at: number): Target {
    const constant = CONSTANTS[name.toUpperCase()]
    if (constant !== undefined) return constant
    const segments = name.split('.')
    const [first] = segments as [string]
    if (!first.startsWith('$')) return this.#followAll('record', this.#object, [], segments, name, at)
    if (first.toUpperCase() === '$RECORDTYPE') {
      return this.#followAll('record', this.#object, [], ['RecordType', ...segments.slice(1)], name, at)
    }
    if (first.toUpperCase() === '$SETUP') return this.#resolveSetting(segments, name, at)
    if (first.toUpperCase() === '$CUSTOMMETADATA') return this.#resolveMetadata(segments, name, at)
    if (first.toUpperCase() === '$LABEL') return this.#resolveLabel(segments, name, at)
    if (first.toUpperCase() === '$API')
      throw new FormulaError(`${name} is not supported: formulas have no addresses and no tokens.`, at)
    if (first.toUpperCase() === '$PERMISSION') return this.#resolvePermission(segments, name, at)
    if (first.toUpperCase() === '$OBJECTTYPE') return this.#resolveColumn(segments, name, at)
    const known = GLOBALS[first.toUpperCase()]
    const object = known && this.#findObject(known.object)
    if (known === undefined || object === undefined || segments.length < 2) throw notFound(name, at)
    return this.#followAll(known.root, object, [], [...known.way, ...segments.slice(1)], name, at)
  }

  /** `$ObjectType.Zip__c.Fields.City__c` */
  #resolveColumn([, named, word, ...segments]: readonly string[], name: string, at: number): Target {
    const object = named === undefined ? undefined : this.#findObject(named)
    if (object === undefined || word?.toLowerCase() !== 'fields' || segments.length !== 1)
      throw notFound(name, at)
    const field = object.field(segments[0]!)
    if (field === undefined) throw notFound(name, at, segments[0]!, object)
    const { formula: known, describedAs } = field.type
    // Its values stand in a column of the object's own.
    if (known === undefined || known.type === 'Location' || !isStored(field))
      throw new FormulaError(`VLOOKUP does not read ${name}: it is a ${describedAs}, or computed.`, at)
    const isPicklist = known.type === 'Picklist' || known.type === 'MultiPicklist'
    return {
      name: `$ObjectType.${object.name}.Fields.${field.name}`,
      type: 'Column',
      facts: {},
      isImmutable: false,
      column: {
        object: object.name,
        field: field.name,
        type: isPicklist ? 'Text' : known.type,
        facts: makeFacts(field),
        isPercent: known.isPercent === true,
        isKey: object.custom && field === object.nameField && known.type === 'Text',
      },
    }
  }

  /** `$Setup.Rates__c.Usual__c` */
  #resolveSetting([, setting, ...segments]: readonly string[], name: string, at: number): Target {
    const object = setting === undefined ? undefined : this.#findObject(setting)
    if (object?.definition.setting !== 'hierarchy' || segments.length === 0) throw notFound(name, at)
    return this.#followAll(`$Setup.${object.name}`, object, [], segments, name, at)
  }

  /** `$CustomMetadata.Rate__mdt.Usual.Percent__c` */
  #resolveMetadata([, type, record, ...segments]: readonly string[], name: string, at: number): Target {
    const object = type === undefined ? undefined : this.#findObject(type)
    if (object === undefined || !isMetadataType(object.name) || segments.length === 0)
      throw notFound(name, at)
    const known = object.definition.records?.find((one) => one.name.toLowerCase() === record!.toLowerCase())
    if (known === undefined)
      throw new FormulaError(`Field ${name} does not exist: ${object.name} has no record ${record}.`, at)
    return this.#followAll(`$CustomMetadata.${object.name}.${known.name}`, object, [], segments, name, at)
  }

  /** `$Label.Greeting` */
  #resolveLabel([, ...segments]: readonly string[], name: string, at: number): Target {
    if (segments.length !== 1) throw notFound(name, at)
    if (this.#findObject(LABELS.type) === undefined)
      throw new FormulaError(`Field ${name} does not exist: there is no metadata type ${LABELS.type}.`, at)
    return this.#resolveMetadata(['', LABELS.type, ...segments, LABELS.field], name, at)
  }

  /** `$Permission.Skip_Checks`: whether a permission set grants it, which may come later. */
  #resolvePermission([, ...segments]: readonly string[], name: string, at: number): Target {
    const object = this.#findObject('SetupEntityAccess')
    const [permission] = segments
    if (object === undefined || permission === undefined || segments.length > 1) throw notFound(name, at)
    const granted: FieldTarget = {
      name: `$Permission.${permission}`,
      type: 'Boolean',
      facts: {},
      isImmutable: false,
      root: `$Permission.${permission}`,
      steps: [],
      object,
      field: object.field('PermissionName')!,
    }
    return granted
  }

  #followAll(
    root: TargetRoot,
    object: ObjectType,
    known: readonly ParentStep[],
    segments: readonly string[],
    name: string,
    at: number,
  ): Target {
    const steps = [...known]
    let here = object
    for (const segment of segments.slice(0, -1)) {
      const step = this.#follow(here, segment, name, at)
      steps.push(step)
      here = this.#findObject(step.object)!
    }
    if (steps.length > MAX_STEPS) {
      throw new FormulaError(`Field ${name} follows more than ${MAX_STEPS} relationships`, at)
    }
    const last = segments.at(-1)!
    const field = here.field((isQueue(segments.at(-2)) && QUEUE_FIELDS[last.toLowerCase()]) || last)
    if (field === undefined) throw notFound(name, at, last, here)
    return this.#makeTarget(root, steps, here, field, name, at)
  }

  /** One relationship: `Account`, `Project__r`, or `Owner:User` where it leads to several objects. */
  #follow(from: ObjectType, segment: string, name: string, at: number): ParentStep {
    const [relationship, kind] = segment.split(':') as [string, string?]
    const reference = from.parent(relationship)
    if (reference === undefined) throw notFound(name, at, relationship, from)
    if (kind === undefined) {
      const [only, ...others] = reference.referenceTo
      const target = only === undefined || others.length > 0 ? undefined : this.#findObject(only)
      if (target !== undefined) return makeStep(reference, target)
      const example = `${reference.definition.relationship}:${reference.referenceTo[0]}`
      throw new FormulaError(
        `Field ${name} does not exist. Check spelling. ${reference.name} may refer to several objects; name one of them: ${example}`,
        at,
      )
    }
    // A queue is a group.
    const wanted = kind.toLowerCase() === 'queue' ? 'group' : kind.toLowerCase()
    const object = reference.referenceTo.find((one) => one.toLowerCase() === wanted)
    const target = object === undefined ? undefined : this.#findObject(object)
    if (target === undefined) {
      throw new FormulaError(`${kind} is an invalid object type for the ${name} field. Check spelling.`, at)
    }
    return makeStep(reference, target)
  }

  #makeTarget(
    root: TargetRoot,
    steps: readonly ParentStep[],
    object: ObjectType,
    field: Field,
    name: string,
    at: number,
  ): FieldTarget {
    const { formula: known, describedAs } = field.type
    if (known === undefined || (known.inRulesOnly === true && this.#place === 'field')) {
      throw new FormulaError(
        `You referenced an unsupported field type called "${describedAs}" using the following field: ${name}`,
        at,
      )
    }
    const isOwn = root === 'record' && steps.length === 0
    if (this.#place === 'default' && root === 'record' && !(steps[0] && isRecordType(steps[0]))) {
      throw new FormulaError(`Field ${name} may not be used in this type of formula`, at)
    }
    const formula = field.formula === undefined ? undefined : this.#findFormula(field, at)
    const isPlain = field.column !== undefined || formula !== undefined
    // The name of its record type follows from the record alone: it is the key of a definition.
    const isOwnType =
      root === 'record' && steps.length === 1 && isRecordType(steps[0]!) && field.name === 'DeveloperName'
    return {
      // One name for one target: the caller's field may be called as one of the record, a user's as one of a queue.
      name: [...(root === 'record' ? [] : [root]), ...steps.map(nameStep), field.name].join('.'),
      type: known.type,
      facts: makeFacts(field),
      isOwn,
      isImmutable:
        isOwnType ||
        (isOwn && isPlain && (formula?.isImmutable ?? true) && field.definition.recent === undefined),
      ...(known.isPercent === true && { isPercent: true }),
      ...(field.picklist.length > 0 && { picklist: field.picklist.map(({ value }) => value) }),
      ...(formula !== undefined && { formula }),
      ...(field.type.coordinates !== undefined && {
        coordinates: makePair(field.type.coordinates(field.parts), (part) =>
          this.#makeTarget(root, steps, object, part, `${name}.${part.name}`, at),
        ),
      }),
      root,
      steps,
      object,
      field,
    }
  }
}

const makeStep = (reference: Field, target: ObjectType): ParentStep => ({
  reference,
  object: target.name,
  rows: (alias) => callerRecords(target, alias),
})

const isRecordType = ({ reference }: ParentStep) => reference.name === RECORD_TYPE_ID

const nameStep = ({ reference: { definition, referenceTo }, object }: ParentStep) =>
  referenceTo.length === 1 ? definition.relationship! : `${definition.relationship}:${object}`

const makePair = <Made>([a, b]: readonly [Field, Field], make: (field: Field) => Made): [Made, Made] => [
  make(a),
  make(b),
]

function notFound(name: string, at: number, segment?: string, object?: ObjectType): FormulaError {
  const names =
    object?.fields.flatMap((field) => [field.name, field.definition.relationship ?? field.name]) ?? []
  const similar = segment === undefined ? undefined : nearest(segment, names)
  const hint =
    similar === undefined ? '' : ` Did you mean ${name.slice(0, name.length - segment!.length)}${similar}?`
  const isLast = segment !== undefined && name.toLowerCase().endsWith(segment.toLowerCase())
  return new FormulaError(`Field ${name} does not exist. Check spelling.${isLast ? hint : ''}`, at)
}
