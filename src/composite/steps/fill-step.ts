import { isObject } from '../../base/json.ts'
import { decodePercent } from '../../base/url-encoding.ts'
import { fillSoql } from './fill-soql.ts'
import { hasReference, mapReferences, wholeReference } from './reference-text.ts'
import { halted, type StepResults } from './step-results.ts'
import { isCollection, isOfRecords } from './step-route.ts'
import { MAX_PATH_LENGTH, type Step } from './subrequest.ts'

/** Deeper than any body that is accepted; what lies there stays as it is. */
const MAX_LEVELS = 100

/** Parameters that hold a query. */
const QUERIES = ['q', 'explain']

/** Segment by segment, so that a value is always one segment, or a part of one. */
export function fillPath(path: string, stepResults: StepResults): string {
  let length = path.length
  return path
    .split('/')
    .map((segment) => {
      const text = decodePercent(segment)
      if (!hasReference(text)) return segment
      const filled = mapReferences(text, (expression) => stepResults.text(expression))
      // Without it the path would name another resource.
      if (filled === '') throw halted(`The reference ${text} leaves a part of the url empty.`)
      length += filled.length
      if (length > MAX_PATH_LENGTH) {
        throw halted(
          `The path of the url is longer than ${MAX_PATH_LENGTH} characters with its references filled in.`,
        )
      }
      return encodeURIComponent(filled.toWellFormed())
    })
    .join('/')
}

/** Parameter by parameter, in the texts as they are meant: a value needs no encoding and cannot end its parameter. */
export function fillQuery(query: string, stepResults: StepResults): URLSearchParams {
  const filled = new URLSearchParams()
  for (const [name, text] of new URLSearchParams(query)) {
    filled.append(name, QUERIES.includes(name) ? fillSoql(text, stepResults) : fillText(text, stepResults))
  }
  return filled
}

const fillText = (text: string, stepResults: StepResults) =>
  mapReferences(text, (expression) => stepResults.text(expression))

/** Resolves a text that is a single reference. */
type FillWhole = (expression: string, stepResults: StepResults) => unknown

const fillValue: FillWhole = (expression, stepResults) => stepResults.value(expression)

/** Text fields take text only; all others read their number or boolean from it. */
const fillFieldValue: FillWhole = (expression, stepResults) => {
  const value = stepResults.value(expression)
  return value === null ? null : String(value)
}

function fillTexts(value: unknown, stepResults: StepResults, fillWhole: FillWhole, level = 0): unknown {
  if (typeof value === 'string') {
    if (!hasReference(value)) return value
    const expression = wholeReference(value)
    return expression === undefined ? fillText(value, stepResults) : fillWhole(expression, stepResults)
  }
  if (level > MAX_LEVELS) return value
  const fill = (one: unknown) => fillTexts(one, stepResults, fillWhole, level + 1)
  if (Array.isArray(value)) return value.map(fill)
  if (!isObject(value)) return value
  // As own members, whatever they are called.
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, fill(one)]))
}

/**
 * Every text in a body. A text that is one reference takes the kind that its target needs: in records that of the field,
 * elsewhere it is the value itself. (docs/reference/api/composite.md#references)
 */
export function fillBody(step: Pick<Step, 'body' | 'match'>, stepResults: StepResults): unknown {
  const { body } = step
  if (isOfRecords(step)) return fillTexts(body, stepResults, fillFieldValue)
  if (!isObject(body) || !isCollection(step)) return fillTexts(body, stepResults, fillValue)
  return Object.fromEntries(
    Object.entries(body).map(([name, value]) => {
      const fillWhole = name === 'records' ? fillFieldValue : fillValue
      return [name, fillTexts(value, stepResults, fillWhole)]
    }),
  )
}
