import { isObject } from '../../base/json.ts'
import type { DeployedOrg } from '../../scripting/sdk/deployed-org.ts'

type Values = Readonly<Record<string, unknown>>

/** A condition that refuses a record. */
export interface Validation {
  /** True: the record is refused. `old` is absent when it is new. */
  readonly refuse: (record: Values, old: Values | undefined, loaded: unknown) => unknown
  readonly message: string | ((record: Values, old: Values | undefined, loaded: unknown) => string)
  /** The field that the message is about. */
  readonly field?: string
}

/** A loaded file `objects/<Object>.ts` of a deployment. */
export interface RuleModule {
  /** Runs once for each list of records. Its result is passed to every function below. */
  readonly load?: (records: readonly Values[], org: DeployedOrg) => unknown
  /** Functions by the name of the computed field. */
  readonly computed: Readonly<Record<string, (record: Values, loaded: unknown) => unknown>>
  /** Validations by name. */
  readonly validations: Readonly<Record<string, Validation>>
}

const EXAMPLE =
  "export default { computed: { Days__c: (record) => 3 }, validations: { Dates: { refuse: (record) => false, message: '...' } } }"

/**
 * Checks and returns the rules that a file exports as its default.
 * @throws Error with the problem and a correct form
 */
export function readRuleModule(file: string, exported: unknown): RuleModule {
  const wrong = (what: string) => new Error(`The rules ${file} ${what}`)
  if (!isObject(exported)) throw wrong(`have no default export; write: ${EXAMPLE}`)
  const { load, computed = {}, validations = {}, ...rest } = exported
  const [stranger] = Object.keys(rest)
  if (stranger !== undefined) throw wrong(`have ${stranger}, which is none of load, computed, validations`)
  if (load !== undefined && typeof load !== 'function') throw wrong('have a load that is no function')
  if (!isObject(computed) || !isObject(validations)) throw wrong(`are not of this form: ${EXAMPLE}`)
  for (const [name, compute] of Object.entries(computed)) {
    if (typeof compute !== 'function') throw wrong(`have a computed ${name} that is no function`)
  }
  for (const [name, validation] of Object.entries(validations)) {
    const { refuse, message, field, ...more } = isObject(validation) ? validation : {}
    if (typeof refuse !== 'function') throw wrong(`have a validation ${name} without a function refuse`)
    if (typeof message !== 'string' && typeof message !== 'function') {
      throw wrong(`have a validation ${name} without a message`)
    }
    if (field !== undefined && typeof field !== 'string')
      throw wrong(`have a validation ${name} whose field is no text`)
    const [unknown] = Object.keys(more)
    if (unknown !== undefined) {
      throw wrong(`have a validation ${name} with ${unknown}, which is none of refuse, message, field`)
    }
  }
  return { load, computed, validations } as RuleModule
}
