import { decodePercent } from '../../base/decode-percent.ts'
import { isObject } from '../../records/prepare/coerce.ts'
import { fillSoql } from './fill-soql.ts'
import { hasReference, mapReferences, wholeReference } from './reference-text.ts'
import { halted, type StepResults } from './step-results.ts'
import { MAX_PATH_LENGTH } from './subrequest.ts'

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

/** Every text in a body. A text that is one reference becomes the value itself, with its kind. */
export function fillBody(body: unknown, stepResults: StepResults, level = 0): unknown {
  if (typeof body === 'string') {
    if (!hasReference(body)) return body
    const expression = wholeReference(body)
    return expression === undefined ? fillText(body, stepResults) : stepResults.value(expression)
  }
  if (level > MAX_LEVELS) return body
  if (Array.isArray(body)) return body.map((value) => fillBody(value, stepResults, level + 1))
  if (!isObject(body)) return body
  // As own members, whatever they are called.
  return Object.fromEntries(
    Object.entries(body).map(([name, value]) => [name, fillBody(value, stepResults, level + 1)]),
  )
}
