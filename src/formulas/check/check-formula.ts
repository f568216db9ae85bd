import { nearest } from '../../base/nearest.ts'
import { ARITHMETIC, negate } from '../functions/arithmetic.sql.ts'
import { findComparison } from '../functions/comparisons.sql.ts'
import { type FormulaFunction, isMade, type Made, type Parameter } from '../functions/function.ts'
import { HTML_NAMES } from '../functions/html.sql.ts'
import { conjunction, disjunction, negation } from '../functions/logic.sql.ts'
import { boundFacts, boundNumber } from '../functions/operation.sql.ts'
import { FUNCTIONS } from '../functions/registry.ts'
import { asType, unify } from '../functions/unify.ts'
import type { Expression, Formula, Operation, Target } from '../language/expression.ts'
import { FormulaError } from '../language/formula-error.ts'
import {
  type Facts,
  type FormulaPlace,
  type FormulaType,
  MAX_DEPTH,
  MAX_DIGITS,
  MAX_NODES,
  MAX_SCALE,
  MAX_TEXT,
} from '../language/formula-type.ts'
import { parseFormula, type Syntax } from '../parse/parser.ts'
import { Decimal } from '../values/number.ts'
import { countCharacters } from '../values/text.ts'
import { makeAddition, makeSubtraction } from './make-sum.ts'

/** Finds what names in formulas refer to. */
export interface Binder {
  /**
   * @param at offset of the name
   * @throws FormulaError
   */
  resolve(name: string, at: number): Target
}

export interface FormulaRequest {
  readonly text: string
  readonly place: FormulaPlace
  /** The type that the result has to have; undefined: any but a picklist and a location. */
  readonly result?: FormulaType | undefined
  /** Blank numbers count as zero. */
  readonly zero: boolean
  readonly binder: Binder
}

const COMPARISONS: ReadonlySet<string> = new Set(['=', '<>', '<', '>', '<=', '>='])

const KINDS: Readonly<Partial<Record<FormulaType, string>>> = {
  Picklist: 'picklist',
  MultiPicklist: 'multi-select picklist',
}

/** Why a picklist or a column cannot stand where it does; undefined for other expressions. */
function findPicklistProblem(expression: Expression): FormulaError | undefined {
  if (expression.type === 'Column' && expression.kind === 'reference') {
    const message = `${expression.target.name} is a field of all records, not of one. Only VLOOKUP takes it.`
    return new FormulaError(message, expression.at)
  }
  const kind = KINDS[expression.type]
  if (kind === undefined) return undefined
  const name = expression.kind === 'reference' ? expression.target.name : 'PRIORVALUE()'
  const sentence = `${kind[0]!.toUpperCase()}${kind.slice(1)} fields are only supported in certain functions.`
  return new FormulaError(`Field ${name} is a ${kind} field. ${sentence}`, expression.at)
}

class Checker {
  readonly #request: FormulaRequest
  readonly targets = new Map<string, Target>()
  isImmutable = true
  isHtml = false
  #nodes = 0

  constructor(request: FormulaRequest) {
    this.#request = request
  }

  get nodes(): number {
    return this.#nodes
  }

  check(syntax: Syntax): Expression {
    this.#count(1, syntax.at)
    switch (syntax.kind) {
      case 'number':
        return this.#checkNumber(syntax.text, syntax.at)
      case 'text': {
        const value = syntax.text === '' ? null : syntax.text
        return this.#literal('Text', value, { length: countCharacters(syntax.text) }, syntax.at)
      }
      case 'constant':
        return this.#literal(syntax.value === null ? 'Null' : 'Boolean', syntax.value, {}, syntax.at)
      case 'name':
        return this.#checkName(syntax.name, syntax.at)
      case 'call':
        return this.#checkCall(syntax)
      case 'operator':
        return this.#checkOperator(
          syntax.operator,
          syntax.args.map((argument) => this.check(argument)),
          syntax.at,
        )
    }
  }

  #count(nodes: number, at: number): void {
    this.#nodes += nodes
    if (this.#nodes > MAX_NODES) {
      const message = `Compiled formula is too big to execute (${this.#nodes} operators, functions and values). Maximum size is ${MAX_NODES}`
      throw new FormulaError(message, at)
    }
  }

  #literal(
    type: FormulaType,
    value: string | boolean | Decimal | null,
    facts: Facts,
    at: number,
  ): Expression {
    return { kind: 'literal', type, value, facts, at, depth: 1 }
  }

  #checkNumber(text: string, at: number): Expression {
    const value = new Decimal(text)
    const digits = value.trunc().toFixed().length
    if (digits > MAX_DIGITS)
      throw new FormulaError(`The number is too big. At most ${MAX_DIGITS} digits are allowed`, at)
    if (value.decimalPlaces() > MAX_SCALE)
      throw new FormulaError(`At most ${MAX_SCALE} decimals are allowed`, at)
    return this.#literal('Number', value, { scale: value.decimalPlaces(), digits }, at)
  }

  #checkName(name: string, at: number): Expression {
    const target = this.#request.binder.resolve(name, at)
    this.targets.set(target.name, target)
    if (!target.isImmutable) this.isImmutable = false
    const { formula, type } = target
    if (formula !== undefined) this.#count(formula.nodes, at)
    const depth = 1 + (formula?.depth ?? 0)
    this.#checkDepth(depth, at)
    const facts = formula === undefined ? target.facts : formula.root.facts
    const zero = this.#request.zero && type === 'Number'
    return { kind: 'reference', type, target, zero, full: false, facts, at, depth }
  }

  #checkDepth(depth: number, at: number): void {
    if (depth > MAX_DEPTH) {
      throw new FormulaError(`Formula is nested too deeply. At most ${MAX_DEPTH} levels are allowed`, at)
    }
  }

  #makeCall(
    operation: Operation,
    made: Omit<Made, 'operation'>,
    args: readonly Expression[],
    at: number,
  ): Expression {
    const depth = 1 + Math.max(0, ...args.map((argument) => argument.depth))
    this.#checkDepth(depth, at)
    if ((made.facts.length ?? 0) > MAX_TEXT) {
      throw new FormulaError('Compiled formula is too big to execute: its texts may become too long', at)
    }
    if (!operation.isImmutable) this.isImmutable = false
    return { kind: 'call', type: made.type, facts: made.facts, operation, args, at, depth }
  }

  #checkCall({ name, args, at }: Extract<Syntax, { kind: 'call' }>): Expression {
    const definition = FUNCTIONS.get(name.toUpperCase())
    if (definition === undefined) {
      const similar = nearest(name, FUNCTIONS.keys())
      const hint = similar === undefined ? '' : ` Did you mean ${similar}?`
      throw new FormulaError(`Unknown function ${name}. Check spelling.${hint}`, at)
    }
    const { place } = this.#request
    if (definition.places !== undefined && !definition.places.includes(place)) {
      throw new FormulaError(`Function ${definition.name} may not be used in this type of formula`, at)
    }
    const label = `function '${definition.name}()'`
    checkCount(definition, args.length, label, at)
    const checked = args.map((argument) => this.check(argument))
    const typed = checked.map((argument, index) => checkParameter(definition, argument, index, label))
    if (HTML_NAMES.has(definition.name)) this.isHtml = true
    const made = definition.make({ args: typed, at, place, label })
    if (!isMade(made)) return made
    return this.#makeCall(made.operation, made, made.args ?? typed, at)
  }

  #checkOperator(operator: string, args: readonly Expression[], at: number): Expression {
    const label = `operator '${operator.replace('unary ', '')}'`
    const problem = args.map(findPicklistProblem).find((one) => one !== undefined)
    if (problem !== undefined) throw problem
    if (operator === 'NOT' || operator === '&&' || operator === '||') {
      const operation = { NOT: negation, '&&': conjunction, '||': disjunction }[operator]
      const typed = args.map((argument) => requireType(argument, 'Boolean', label))
      return this.#makeCall(operation, { type: 'Boolean', facts: {} }, typed, at)
    }
    if (operator === 'unary -' || operator === 'unary +') {
      const typed = args.map((argument) => requireType(argument, 'Number', label))
      const [{ facts }] = typed as [Expression]
      return operator === 'unary +'
        ? typed[0]!
        : this.#makeCall(
            negate,
            {
              type: 'Number',
              facts: {
                ...(facts.scale !== undefined && { scale: facts.scale }),
                digits: facts.digits ?? MAX_DIGITS,
              },
            },
            typed,
            at,
          )
    }
    const [left, right] = args as [Expression, Expression]
    if (COMPARISONS.has(operator)) return this.#compare(operator, left, right, label, at)
    return this.#combine(operator, left, right, label, at)
  }

  #compare(operator: string, left: Expression, right: Expression, label: string, at: number): Expression {
    const [a, b] = unify([left, right], label) as [Expression, Expression]
    const isOrdered = operator !== '=' && operator !== '<>'
    if (a.type === 'Location' || (isOrdered && a.type === 'Boolean')) {
      throw new FormulaError(`Incorrect argument type for ${label}.`, at)
    }
    return this.#makeCall(findComparison(operator, a, b), { type: 'Boolean', facts: {} }, [a, b], at)
  }

  #combine(operator: string, left: Expression, right: Expression, label: string, at: number): Expression {
    const made =
      operator === '+' || operator === '&'
        ? makeAddition(operator, left, right, label)
        : operator === '-'
          ? makeSubtraction(left, right, label)
          : undefined
    if (made !== undefined) return this.#makeCall(made.operation, made, made.args ?? [left, right], at)
    const [a, b] = [left, right].map((one) => requireType(one, 'Number', label)) as [Expression, Expression]
    const arithmetic = ARITHMETIC[operator as keyof typeof ARITHMETIC]
    const facts = arithmetic.facts(a.facts, b.facts, [a, b])
    return this.#makeCall(
      boundNumber(arithmetic.operation, facts),
      { type: 'Number', facts: boundFacts(facts) },
      [a, b],
      at,
    )
  }
}

function requireType(expression: Expression, type: FormulaType, label: string): Expression {
  const typed = asType(expression, type)
  if (typed.type === type) return typed
  const message = `Incorrect parameter type for ${label}. Expected ${type}, received ${typed.type}`
  throw new FormulaError(message, typed.at)
}

function checkCount(
  { parameters, optional = 0, repeats = false }: FormulaFunction,
  received: number,
  label: string,
  at: number,
): void {
  const least = parameters.length - optional
  const isEnough = received >= least && (repeats || received <= parameters.length)
  if (isEnough) return
  const expected = repeats
    ? `at least ${least}`
    : optional === 0
      ? `${least}`
      : `${least} to ${parameters.length}`
  throw new FormulaError(
    `Incorrect number of parameters for ${label}. Expected ${expected}, received ${received}`,
    at,
  )
}

function checkParameter(
  { parameters }: FormulaFunction,
  argument: Expression,
  index: number,
  label: string,
): Expression {
  const types = (parameters[index] ?? parameters.at(-1)) as Parameter
  if (types.includes(argument.type)) return argument
  // An argument that may be of several types gets the type of the others.
  if (argument.type === 'Null') return types.length === 1 ? asType(argument, types[0]!) : argument
  const problem = findPicklistProblem(argument)
  if (problem !== undefined) throw problem
  const expected = types.filter((type) => type !== 'Null').join(', ')
  throw new FormulaError(
    `Incorrect parameter type for ${label}. Expected ${expected}, received ${argument.type}`,
    argument.at,
  )
}

function checkResult(root: Expression, { result, place }: FormulaRequest): Expression {
  const problem = findPicklistProblem(root)
  if (problem !== undefined) throw problem
  if (root.type === 'Null') return asType(root, result ?? 'Text')
  // A default of a date may be a datetime, whose date is taken.
  const isDay = place === 'default' && result === 'Date' && root.type === 'DateTime'
  if (root.type !== 'Location' && (result === undefined || root.type === result || isDay)) return root
  const expected = result ?? 'Number, Text, Boolean, Date, DateTime, Time'
  throw new FormulaError(
    `Formula result is data type (${root.type}), incompatible with expected data type (${expected}).`,
    root.at,
  )
}

/**
 * Parses a formula and checks its names and types.
 * @throws FormulaError
 */
export function checkFormula(request: FormulaRequest): Formula {
  const checker = new Checker(request)
  const root = checkResult(checker.check(parseFormula(request.text)), request)
  return {
    text: request.text,
    root,
    result: request.result ?? root.type,
    zero: request.zero,
    targets: [...checker.targets.values()],
    isImmutable: checker.isImmutable,
    isHtml: checker.isHtml,
    depth: root.depth,
    nodes: checker.nodes,
  }
}
