import { OAuthError } from '../../auth/oauth/oauth-error.ts'
import { hasMoreParameters } from '../../base/url-encoding.ts'
import type { HttpContext } from '../pipeline/http-context.ts'

/** Longer than any valid code, token or assertion. */
const MAX_VALUE_LENGTH = 32_768

/**
 * The parameters of a request. Repeated parameters are refused, as OAuth requires.
 * @throws OAuthError invalid_request
 */
function singleParameters(form: Iterable<readonly [string, string]>): Map<string, string> {
  const parameters = new Map<string, string>()
  for (const [name, value] of form) {
    const shown = name.slice(0, 100).toWellFormed()
    if (parameters.has(name)) {
      throw new OAuthError('invalid_request', `parameter stands more than once: ${shown}`)
    }
    if (value.length > MAX_VALUE_LENGTH)
      throw new OAuthError('invalid_request', `parameter is too long: ${shown}`)
    parameters.set(name, value)
  }
  return parameters
}

/** The content type of a form. */
export const FORM = /^application\/x-www-form-urlencoded\s*(;.*)?$/i
const MULTIPART = /^multipart\/form-data\s*;/i

/** More parameters than any form of this server has. */
const MAX_PARAMETERS = 200

const notAForm = () => new OAuthError('invalid_request', 'the parameters must be form-encoded')

/** An old device client sends its form in parts. (docs/reference/api/tokens.md#requests) */
async function readParts(bytes: Buffer, type: string): Promise<[string, string][]> {
  let form: FormData
  try {
    form = await new Response(new Uint8Array(bytes), { headers: { 'content-type': type } }).formData()
  } catch {
    throw notAForm()
  }
  return [...form].flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : []))
}

/** @throws OAuthError invalid_request */
function readForm(bytes: Buffer): URLSearchParams {
  const text = bytes.toString('utf8')
  if (hasMoreParameters(text, MAX_PARAMETERS)) {
    throw new OAuthError('invalid_request', `the form has more than ${MAX_PARAMETERS} parameters`)
  }
  return new URLSearchParams(text)
}

const isForDevice = (parameters: ReadonlyMap<string, string>) =>
  parameters.get('response_type') === 'device_code' ||
  /(^|:)device(_code)?$/.test(parameters.get('grant_type') ?? '')

/**
 * The parameters in a body, or of the address where there is no body. Only devices may send it in parts.
 * @throws OAuthError invalid_request
 */
export async function parseForm({ request, bytes, query }: HttpContext): Promise<Map<string, string>> {
  if (bytes.length === 0 && query.size > 0) return singleParameters([...query])
  const type = request.headers['content-type'] ?? ''
  if (FORM.test(type)) return singleParameters(readForm(bytes))
  if (!MULTIPART.test(type)) throw notAForm()
  const parameters = singleParameters(await readParts(bytes, type))
  if (!isForDevice(parameters)) throw notAForm()
  return parameters
}

/**
 * The parameters of the body and of the address together.
 * @throws OAuthError invalid_request
 */
export function parseFormAndQuery({ request, bytes, query }: HttpContext): Map<string, string> {
  const type = request.headers['content-type'] ?? ''
  if (bytes.length > 0 && !FORM.test(type)) throw notAForm()
  const body = bytes.length > 0 ? [...readForm(bytes)] : []
  return singleParameters([...query, ...body])
}
