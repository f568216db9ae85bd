import { CallError } from '../../api/client.ts'

/** Where the server says the mistake is: `ERROR at Row:1:Column:12`, counted from one. */
export function findErrorPosition(error: unknown, text: string): number | undefined {
  const found = error instanceof CallError ? /Row:(\d+):Column:(\d+)/.exec(error.message) : null
  if (found === null) return undefined
  const lines = text.split('\n')
  const [line, column] = [Number(found[1]) - 1, Number(found[2]) - 1]
  return Math.min(text.length, lines.slice(0, line).reduce((sum, one) => sum + one.length + 1, 0) + column)
}
