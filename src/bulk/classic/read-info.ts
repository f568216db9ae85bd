import { ApiError } from '../../base/api-error.ts'
import { isObject } from '../../base/json.ts'
import { readJsonCall } from '../../base/json-text.ts'
import type { Call } from '../../calls/call.ts'
import type { Context } from '../../context.ts'
import { parseXml } from '../../xml/parse-xml.ts'
import { isJsonType } from './answer-format.ts'

/** Members of a job as a client sends them; empty ones are left out. */
export type JobInfo = ReadonlyMap<string, string>

const invalid = (message: string) => new ApiError('INVALIDJOB', message)

/** The body of a call, which has come already. */
export async function readBytes({ bytes }: Call): Promise<Uint8Array> {
  const pieces: Uint8Array[] = []
  for await (const piece of bytes ?? []) pieces.push(piece)
  return pieces.length === 1 ? pieces[0]! : Buffer.concat(pieces)
}

/**
 * Parses JSON.
 * @throws ApiError JSON_PARSER_ERROR
 */
export async function parseJson({ deadline }: Context, bytes: Uint8Array): Promise<unknown> {
  return (await readJsonCall(bytes, { deadline: deadline() }))?.value
}

function readXmlMembers(bytes: Uint8Array): [string, string][] {
  const root = parseXml(bytes)
  if (root.name !== 'jobInfo') throw invalid('The body is not a jobInfo')
  return root.children.map(({ name, text }) => [name, text.trim()])
}

async function readJsonMembers(ctx: Context, bytes: Uint8Array): Promise<[string, string][]> {
  const value = await parseJson(ctx, bytes)
  if (!isObject(value)) throw invalid('The body is not an object with the members of a job')
  return Object.entries(value).flatMap(([name, member]): [string, string][] => {
    if (member === null) return []
    if (typeof member === 'object') throw invalid(`${name.slice(0, 255)} is not a text`)
    return [[name, String(member)]]
  })
}

/**
 * Reads the members that a client gives a job, from XML or JSON.
 * @throws ApiError
 */
export async function readJobInfo(ctx: Context, call: Call): Promise<JobInfo> {
  const bytes = await readBytes(call)
  const isJson = isJsonType(call.headers['content-type'])
  const members = isJson ? await readJsonMembers(ctx, bytes) : readXmlMembers(bytes)
  return new Map(members.filter(([, text]) => text !== ''))
}

/** One of some words, without case. @throws ApiError */
export function readOneOf<Word extends string>(
  info: JobInfo,
  name: string,
  words: readonly Word[],
): Word | undefined {
  const text = info.get(name)
  if (text === undefined) return undefined
  const word = words.find((one) => one.toLowerCase() === text.toLowerCase())
  if (word !== undefined) return word
  throw invalid(`"${text.slice(0, 255)}" is not a valid ${name}; use ${words.join(', ')}`)
}
