import { randomInt } from 'node:crypto'
import { ApiError } from '../../base/api-error.ts'

const MIN_LENGTH = 8
const MAX_LENGTH = 200

/** Passwords that attackers try first; in lower case. */
const OBVIOUS = new Set([
  'password',
  'password1',
  'password12',
  'password123',
  'passw0rd',
  'p@ssw0rd',
  'p@ssword',
  '12345678',
  '123456789',
  '1234567890',
  '87654321',
  '11111111',
  '00000000',
  'qwertyui',
  'qwertyuiop',
  'qwerty123',
  'qwertz123',
  'abcd1234',
  'abc12345',
  'iloveyou',
  'letmein1',
  'welcome1',
  'welcome123',
  'changeme',
  'changeme1',
  'admin123',
  'administrator',
  'objectry',
  'objectry1',
])

/**
 * Why a password is not acceptable, as a message for its user; undefined if it is.
 * @param username of the password's user
 */
export function findPasswordProblem(password: string, username: string): string | undefined {
  if (password.includes('\0')) return 'The character NUL cannot be in a password.'
  // Hashing would take each of these halves for the same replacement.
  if (!password.isWellFormed()) return 'Half of a character (a lone surrogate) cannot be in a password.'
  const length = [...password].length
  if (length < MIN_LENGTH) return `The password must have at least ${MIN_LENGTH} characters.`
  if (length > MAX_LENGTH) return `The password must have at most ${MAX_LENGTH} characters.`
  const plain = password.trim().toLowerCase()
  const [name = ''] = username.toLowerCase().split('@')
  if (plain === username.toLowerCase() || plain === name) return 'The password must not be the username.'
  if (OBVIOUS.has(plain) || new Set(plain).size < 3) {
    return 'The password is one that is tried first everywhere. Choose another one.'
  }
  return undefined
}

/** @throws ApiError INVALID_INPUT */
export function checkPasswordRules(password: string, username: string): void {
  const problem = findPasswordProblem(password, username)
  if (problem !== undefined) throw new ApiError('INVALID_INPUT', problem)
}

/** Without letters and digits that are easily confused. */
const READABLE = 'abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789'

/** 20 characters in groups of five: about 115 bits, and easy to copy. */
export function makePassword(): string {
  const group = () => Array.from({ length: 5 }, () => READABLE[randomInt(READABLE.length)]).join('')
  return [group(), group(), group(), group()].join('-')
}
