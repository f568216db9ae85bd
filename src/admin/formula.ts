import { ApiError } from '../base/api-error.ts'
import { canonicalRecordId } from '../base/record-id.ts'
import { readEnvelope } from '../calls/envelope.ts'
import { type Handler, type Route, route } from '../calls/route.ts'
import { FormulaError, findLine } from '../formulas/language/formula-error.ts'
import { tryFormula } from '../records/formulas/try-formula.ts'
import { findObject } from '../resources/find-object.ts'
import { checkOrg } from './orgs.ts'

/** Compiles a formula of an object, and evaluates it for one of its records. (docs/reference/api/admin-api.md#formulas) */
const formula: Handler<{ org: string }> = async (ctx, call, { org }) => {
  await checkOrg(ctx, org)
  const envelope = readEnvelope(call, ['object', 'formula', 'record', 'blanks'])
  const object = findObject(ctx, envelope.required('object', envelope.text('object')))
  const text = envelope.required('formula', envelope.text('formula'))
  const blanks = envelope.text('blanks') ?? 'zero'
  if (blanks !== 'zero' && blanks !== 'blank') throw envelope.refusal('blanks is zero or blank', 'blanks')
  const named = envelope.text('record')
  const id = named === undefined ? undefined : canonicalRecordId(named)
  if (
    named !== undefined &&
    (id === undefined || ctx.schema.objectOfId(id) !== ctx.schema.object(object.name))
  )
    throw envelope.refusal(`record is the id of a record of ${object.name}`, 'record')
  try {
    const body = await tryFormula(ctx, object, text, id, blanks === 'zero')
    if (body === undefined) throw new ApiError('NOT_FOUND', `There is no ${object.name} ${named}`)
    return { status: 200, body }
  } catch (error) {
    if (!(error instanceof FormulaError)) throw error
    const { line, column } = findLine(text, error.at)
    throw new ApiError('INVALID_INPUT', `${line}:${column}: ${error.message}`, { fields: ['formula'] })
  }
}

/** Checks and evaluates formulas before they are deployed. */
export const formulaRoutes: readonly Route[] = [route('POST', '/orgs/:org/formula', 'setup', formula)]
