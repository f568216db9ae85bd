import { type SecretBox, WrongSecretKey } from '../auth/keys/secret-box.ts'
import { FORM_1, isEncrypted } from '../schema/fields/encrypted-value.sql.ts'
import type { Field } from '../schema/fields/field.ts'
import type { ObjectType } from '../schema/objects/object-type.ts'
import type { Org } from '../storage/orgs/org.ts'

const PURPOSE = 'field values'

/** Encrypts and decrypts the values of encrypted fields of an org. */
export class ValueCipher {
  readonly #box: SecretBox
  readonly #note: ((text: string) => void) | undefined

  private constructor(box: SecretBox, note?: (text: string) => void) {
    this.#box = box
    this.#note = note
  }

  static of(secrets: SecretBox, org: Org): ValueCipher {
    return new ValueCipher(secrets.boxFor(PURPOSE, org.id))
  }

  /** Identifies the key of the org; the same for ciphers that note. */
  get key(): object {
    return this.#box
  }

  /** The same cipher; it notes the texts that it encrypts and decrypts, and what is shown of them. */
  noting(note: (text: string) => void): ValueCipher {
    return new ValueCipher(this.#box, note)
  }

  /** Notes what is shown of a value instead of it. */
  shows(text: string): string {
    this.#note?.(text)
    return text
  }

  /** @param location table, column and record of the value; it cannot be decrypted in another one */
  seal(text: string, location: string): string {
    this.#note?.(text)
    return FORM_1 + this.#box.seal(text, location)
  }

  /**
   * Decrypts a value; returns a value that was stored before encryption existed unchanged.
   * @throws WrongSecretKey when it was encrypted with another key or for another location, or was modified
   */
  open(stored: string, location: string): string {
    if (!isEncrypted(stored)) return this.shows(stored)
    if (!stored.startsWith(FORM_1)) throw new WrongSecretKey()
    return this.shows(this.#box.open(stored.slice(FORM_1.length), location))
  }
}

/** Identifies the location of a value within an org. Encryption binds a value to it. */
export const valueLocation = (
  { table }: Pick<ObjectType, 'table'>,
  { column }: Pick<Field, 'column'>,
  recordId: string,
): string => `${table}.${column}:${recordId}`
