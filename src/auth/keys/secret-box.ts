import {
  createCipheriv,
  createDecipheriv,
  createSecretKey,
  hkdfSync,
  type KeyObject,
  randomBytes,
} from 'node:crypto'

const CIPHER = 'aes-256-gcm'
const NONCE_BYTES = 12
const TAG_BYTES = 16

/** Length of the key in bytes. */
export const SECRET_KEY_BYTES = 32

/** A sealed text cannot be opened: it was sealed with another key, or modified. */
export class WrongSecretKey extends Error {
  constructor() {
    super('A secret in the database cannot be opened with this secret key.')
  }
}

/**
 * Encrypts secrets that cannot be hashed because they have to be read again. The key is not in the database, so read access
 * to the database alone reveals nothing. (docs/reference/api/tokens.md#secrets)
 */
export class SecretBox {
  /** A `KeyObject` created once: converting the bytes for each secret takes ten times as long as encrypting it. */
  readonly #key: KeyObject

  constructor(key: Buffer) {
    this.#key = createSecretKey(key)
  }

  /**
   * A box with a derived key: what is sealed for one purpose cannot be opened for another.
   * @param owner the owner of the secrets; each has a separate key for the purpose
   */
  boxFor(purpose: string, owner: string): SecretBox {
    return new SecretBox(Buffer.from(hkdfSync('sha256', this.#key, owner, purpose, SECRET_KEY_BYTES)))
  }

  /**
   * Returns a different text each time, so that equal secrets do not look equal.
   * @param context where the secret is stored; it can only be opened with the same context
   */
  seal(text: string, context = ''): string {
    const nonce = randomBytes(NONCE_BYTES)
    const cipher = createCipheriv(CIPHER, this.#key, nonce).setAAD(Buffer.from(context))
    const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
    return Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString('base64url')
  }

  /**
   * @param context the one that it was sealed with
   * @throws WrongSecretKey
   */
  open(sealed: string, context = ''): string {
    const bytes = Buffer.from(sealed, 'base64url')
    const text = bytes.subarray(NONCE_BYTES + TAG_BYTES)
    try {
      const decipher = createDecipheriv(CIPHER, this.#key, bytes.subarray(0, NONCE_BYTES), {
        authTagLength: TAG_BYTES,
      })
      decipher.setAAD(Buffer.from(context))
      decipher.setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES))
      const opened = decipher.update(text)
      // In this mode the final block is empty; the call checks the tag.
      decipher.final()
      return opened.toString('utf8')
    } catch {
      throw new WrongSecretKey()
    }
  }
}
