import { WrongSecretKey } from '../auth/keys/secret-box.ts'
import type { Observe } from '../base/observation.ts'
import type { OpenValue } from '../schema/snapshot/record-format.sql.ts'
import type { Access } from './access.ts'
import { type ValueCipher, valueLocation } from './value-cipher.ts'

interface Opening {
  readonly access: Pick<Access, 'has'>
  readonly cipher: ValueCipher
  readonly observe: Observe
}

/** Minimum time between reports of unreadable values in an org: a page may be full of them. */
const REPORT_INTERVAL_MS = 60_000

const reportedAt = new WeakMap<object, number>()

function report({ cipher, observe }: Opening, where: string): void {
  const now = performance.now()
  if (now - (reportedAt.get(cipher.key) ?? -Infinity) < REPORT_INTERVAL_MS) return
  reportedAt.set(cipher.key, now)
  observe({
    kind: 'notice',
    message: `${where} cannot be decrypted and reads as null: it was changed in the database, or belongs to another record or another key`,
  })
}

/** Returns the function that decrypts values for a caller: in full, or masked. */
export function makeOpenValue(opening: Opening): OpenValue {
  const { access, cipher } = opening
  return (stored, object, field, recordId) => {
    try {
      const text = cipher.open(stored, valueLocation(object, field, recordId))
      return access.has('ViewEncryptedData') ? text : cipher.shows(field.type.encrypted!.mask(text))
    } catch (error) {
      if (!(error instanceof WrongSecretKey)) throw error
      report(opening, `${object.name}.${field.name} of ${recordId}`)
      return null
    }
  }
}
