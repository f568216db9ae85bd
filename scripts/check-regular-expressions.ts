import { findServerExpressions, findSlowExpressions } from './regular-expressions.ts'

/* Part of `npm run check:static`: every regular expression of the server takes time in proportion to its text. */

const expressions = findServerExpressions()
// None at all means that they are no longer found.
if (expressions.length < 200) throw new Error(`only ${expressions.length} regular expressions were found`)
const slow = findSlowExpressions(expressions)
for (const line of slow) process.stderr.write(`${line}\n`)
if (slow.length > 0) process.exit(1)
