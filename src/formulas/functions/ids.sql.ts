import { canonicalRecordId } from '../../base/record-id.ts'
import { type Sql, sql } from '../../base/sql.ts'
import { define } from './define.ts'
import { type FormulaFunction, TEXT } from './function.ts'

const CHECK = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ012345'

/** The check character of five characters from a position on, whose bits are set for upper-case letters. */
function checkCharacter(id: Sql, from: number): Sql {
  const bits = [0, 1, 2, 3, 4].map(
    (bit) =>
      sql`case when (substr(${id}, ${sql.raw(String(from + bit))}, 1) collate "C") between 'A' and 'Z' then ${sql.raw(String(2 ** bit))} else 0 end`,
  )
  return sql`substr(${sql.raw(`'${CHECK}'`)}, 1 + ${sql.join(bits, ' + ')}, 1)`
}

const plain = define({
  name: 'CASESAFEID',
  signature: 'CASESAFEID(id)',
  description: 'The 18 characters of a record id. Formulas see 15 of them otherwise.',
  parameters: [TEXT],
  result: 'Text',
  facts: ({ length = 18 }) => ({ length: Math.max(length, 18) }),
  evaluate: ([id]: string[]) => (id!.length === 15 ? (canonicalRecordId(id!) ?? id!) : id!),
  sql: ([id]) =>
    sql`(case when ${id!} ~ '^[0-9A-Za-z]{15}$' then ${id!} || ${checkCharacter(id!, 1)} || ${checkCharacter(id!, 6)} || ${checkCharacter(id!, 11)} else ${id!} end)`,
})

export const ID_FUNCTIONS: readonly FormulaFunction[] = [
  {
    ...plain,
    make(call) {
      const [id] = call.args
      if (id?.kind === 'reference' && id.facts.isId === true)
        return { ...id, full: true, facts: { length: 18, isId: true } }
      return plain.make(call)
    },
  },
  {
    name: 'GETSESSIONID',
    signature: 'GETSESSIONID()',
    result: 'Text',
    description: 'No value: tokens are not shown in records.',
    parameters: [],
    make: ({ at }) => ({ kind: 'literal', type: 'Text', value: null, facts: { length: 0 }, at, depth: 1 }),
  },
]
