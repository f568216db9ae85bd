import { type Sql, sql } from '../../base/sql.ts'
import type { Expression, Operation, Piece } from '../language/expression.ts'
import { FormulaError } from '../language/formula-error.ts'
import type { FormulaType } from '../language/formula-type.ts'
import { Decimal } from '../values/number.ts'
import type { FormulaFunction, Parameter } from './function.ts'
import { anyOf, makeOperation, mergeFacts } from './operation.sql.ts'
import { unify } from './unify.ts'

/** Everything but a Boolean. */
const VALUES: Parameter = ['Number', 'Text', 'Date', 'DateTime', 'Time']
export const ANY: Parameter = [...VALUES, 'Boolean', 'Picklist', 'MultiPicklist']

const otherwise = (condition: Sql, then: Sql | undefined, other: Sql | undefined): Sql | undefined => {
  if (then === undefined && other === undefined) return undefined
  return sql`(case when ${condition} then ${then ?? sql`false`} else ${other ?? sql`false`} end)`
}

/** Only the branch that is taken is evaluated. A condition without a value is false. */
const conditional: Operation = {
  label: "function 'IF()'",
  isImmutable: true,
  evaluate: ([condition, then, other], run) => run(run(condition!) === true ? then! : other!),
  toSql: ([condition, then, other]) => ({
    value: sql`(case when ${condition!.value} then ${then!.value} else ${other!.value} end)`,
    fails: anyOf([condition!.fails, otherwise(condition!.value, then!.fails, other!.fails)]),
    isNullOnFailure:
      condition!.fails === undefined &&
      [then!, other!].every((one) => one.fails === undefined || one.isNullOnFailure),
  }),
}

const ifFunction: FormulaFunction = {
  name: 'IF',
  signature: 'IF(condition, then, else)',
  result: 'type of then and else',
  description: 'One of two values. Only the one that is chosen is evaluated.',
  parameters: [['Boolean'], ANY, ANY],
  make({ args: [condition, then, other], label }) {
    const [left, right] = unify([then!, other!], label)
    return {
      type: left!.type,
      facts: mergeFacts([left!.facts, right!.facts]),
      operation: conditional,
      args: [condition!, left!, right!],
    }
  },
}

/** Failures of the arguments behind undecided ones. `decided` is the value that ends the evaluation. */
function junctionFails(args: readonly Piece[], decided: boolean): Sql | undefined {
  let fails: Sql | undefined
  for (const { value, fails: own } of args.toReversed()) {
    const rest: Sql | undefined =
      fails && (decided ? sql`(${value} is not true and ${fails})` : sql`(${value} and ${fails})`)
    fails = anyOf([own, rest])
  }
  return fails
}

function makeJunction(label: string, word: 'and' | 'or'): Operation {
  const decided = word === 'or'
  return {
    label,
    isImmutable: true,
    evaluate(args, run) {
      for (const argument of args) if ((run(argument) === true) === decided) return decided
      return !decided
    },
    toSql: (args) => ({
      value: sql`((${sql.join(
        args.map(({ value }) => value),
        ` ${word} `,
      )}) is true)`,
      fails: junctionFails(args, decided),
      isNullOnFailure: args.every(({ fails }) => fails === undefined),
    }),
  }
}

export const conjunction = makeJunction("function 'AND()'", 'and')
export const disjunction = makeJunction("function 'OR()'", 'or')

const defineJunction = (name: 'AND' | 'OR', operation: Operation, description: string): FormulaFunction => ({
  name,
  signature: `${name}(condition, ...)`,
  result: 'Boolean',
  description,
  parameters: [['Boolean']],
  repeats: true,
  make: () => ({ type: 'Boolean', facts: {}, operation }),
})

export const negation = makeOperation({
  label: "function 'NOT()'",
  evaluate: ([value]: boolean[]) => !value,
  sql: ([value]) => sql`(not ${value!})`,
})

const isSame = (a: unknown, b: unknown): boolean => {
  if (a === null || b === null) return false
  return a instanceof Decimal ? a.eq(b as Decimal) : a === b
}

/** All arguments are evaluated. Texts without a value are equal, other types are never equal to nothing. */
const makeSelection = (isText: boolean): Operation =>
  makeOperation({
    label: "function 'CASE()'",
    takesNull: true,
    costPerCharacter: 8,
    evaluate(values) {
      const [subject] = values
      for (let i = 1; i + 1 < values.length; i += 2) {
        const isEqual = isText ? (subject ?? '') === (values[i] ?? '') : isSame(subject, values[i])
        if (isEqual) return values[i + 1]
      }
      return values.at(-1)!
    },
    sql(args, expressions) {
      const known = (value: Sql, expression: Expression) => {
        if (!isText) return value
        return expression.kind === 'literal' && expression.value !== null
          ? value
          : sql`coalesce(${value}, '')`
      }
      const cases: Sql[] = []
      for (let i = 1; i + 1 < args.length; i += 2) {
        cases.push(sql`when ${known(args[i]!, expressions[i]!)} then ${args[i + 1]!}`)
      }
      return sql`(case ${known(args[0]!, expressions[0]!)} ${sql.join(cases, ' ')} else ${args.at(-1)!} end)`
    },
  })

const selectionOfTexts = makeSelection(true)
const selection = makeSelection(false)

const caseFunction: FormulaFunction = {
  name: 'CASE',
  signature: 'CASE(subject, value, result, ..., else)',
  result: 'type of the results',
  description: 'The result beside the first value that is equal to the subject. All of them are evaluated.',
  parameters: [[...VALUES, 'Picklist'], VALUES],
  repeats: true,
  make({ args, at, label }) {
    if (args.length < 4 || args.length % 2 !== 0) {
      const message = `Incorrect number of parameters for ${label}. Expected ${args.length < 4 ? 4 : args.length + 1}, received ${args.length}`
      throw new FormulaError(message, at)
    }
    const [subject] = args as [Expression]
    const values = args.filter((_, index) => index % 2 === 1 && index < args.length - 1)
    const results = args.filter((_, index) => index > 0 && (index % 2 === 0 || index === args.length - 1))
    if (subject.type === 'Picklist') checkLiterals(values, label)
    const comparedType: FormulaType = subject.type === 'Picklist' ? 'Text' : subject.type
    const compared = unify([{ ...subject, type: comparedType } as Expression, ...values], label).slice(1)
    const unified = unify(results, label)
    const all = args.map((_, index) => {
      if (index === 0) return subject.type === 'Null' ? unify([subject, ...values], label)[0]! : subject
      if (index === args.length - 1) return unified.at(-1)!
      return index % 2 === 1 ? compared[(index - 1) / 2]! : unified[index / 2 - 1]!
    })
    return {
      type: unified[0]!.type,
      facts: mergeFacts(unified.map(({ facts }) => facts)),
      operation: compared[0]!.type === 'Text' ? selectionOfTexts : selection,
      args: all,
    }
  },
}

function checkLiterals(values: readonly Expression[], label: string): void {
  const other = values.find(({ kind }) => kind !== 'literal')
  if (other !== undefined) {
    const message = `Incorrect parameter type for ${label}. Expected Text Literal, received ${other.type}`
    throw new FormulaError(message, other.at)
  }
}

export const LOGIC_FUNCTIONS: readonly FormulaFunction[] = [
  ifFunction,
  caseFunction,
  defineJunction('AND', conjunction, 'Whether all conditions are true. Stops at the first that is not.'),
  defineJunction('OR', disjunction, 'Whether one of the conditions is true. Stops at the first that is.'),
  {
    name: 'NOT',
    signature: 'NOT(condition)',
    result: 'Boolean',
    description: 'The opposite of a condition.',
    parameters: [['Boolean']],
    make: () => ({ type: 'Boolean', facts: {}, operation: negation }),
  },
]
