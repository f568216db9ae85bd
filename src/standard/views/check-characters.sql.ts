import { derivedRecordId } from '../../base/record-id.ts'

const CHECK = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ012345'
const UPPER_CASE = CHECK.slice(0, 26)
const OTHERS = '0123456789abcdefghijklmnopqrstuvwxyz'
const BITS = '1'.repeat(UPPER_CASE.length) + '0'.repeat(OTHERS.length)

/** SQL text of an id: 15 characters and the three that `base/record-id.ts` adds. Queries make thousands of them: there is no subquery. */
export function withCheckCharacters(id: string): string {
  const checks = [1, 6, 11].map((at) => {
    const bits = `reverse(translate(substr(${id}, ${at}, 5), '${UPPER_CASE}${OTHERS}', '${BITS}'))`
    return `substr('${CHECK}', 1 + ${bits}::bit(5)::integer, 1)`
  })
  return [`(${id})`, ...checks].join(' || ')
}

/** SQL text of the id of the only record that an object has. */
export const onlyId = (keyPrefix: string): string => `'${derivedRecordId(keyPrefix, keyPrefix)}'`
