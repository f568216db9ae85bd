import type { RuleModule, Validation } from '../modules/rule-module.ts'
import type { Change, Handler } from '../modules/trigger-module.ts'

const getMessage = ({ message }: Validation, ...args: Parameters<Validation['refuse']>) =>
  typeof message === 'string' ? message : message(...args)

function validate({ validations }: RuleModule, { record, old, addError }: Change, loaded: unknown): void {
  for (const validation of Object.values(validations)) {
    if (!validation.refuse(record!, old, loaded)) continue
    const message = getMessage(validation, record!, old, loaded)
    if (validation.field === undefined) addError(message)
    else addError(validation.field, message)
  }
}

/**
 * Makes a handler of the rules of an object, which runs as its last before-trigger: it computes all records, then
 * validates each as it will be written.
 */
export function runRules(rules: RuleModule): Handler {
  return async (changes, org) => {
    const loaded = await rules.load?.(
      changes.map(({ record }) => record!),
      org,
    )
    for (const { record } of changes) {
      for (const [field, compute] of Object.entries(rules.computed)) {
        record![field] = compute(record!, loaded) ?? null
      }
    }
    for (const change of changes) validate(rules, change, loaded)
  }
}
