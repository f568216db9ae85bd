import { existsSync } from 'node:fs'
import { BlockList, isIP } from 'node:net'

/* The texts of settings as values. Each reader is told the variable, for its message. */

/** An invalid setting. The message says what to change. */
export class ConfigError extends Error {}

/** @param alternative what the caller takes as well, for the message: ` or auto` */
export function wholeNumber(
  variable: string,
  text: string,
  min: number,
  max: number,
  alternative = '',
): number {
  const number = Number(text)
  if (!/^\d+$/.test(text) || number < min || number > max) {
    throw new ConfigError(
      `${variable} must be a whole number from ${min} to ${max}${alternative}, not "${text}".`,
    )
  }
  return number
}

/** Parses `31-40,42` as numbers, ascending. */
export function versionNumbers(variable: string, text: string): number[] {
  const numbers = new Set<number>()
  for (const part of text.split(',').filter((piece) => piece.trim() !== '')) {
    const match = /^\s*(\d{1,3})\s*(?:-\s*(\d{1,3})\s*)?$/.exec(part)
    if (match === null) {
      throw new ConfigError(`${variable} takes numbers and ranges like 31-68,70, not "${part}".`)
    }
    const first = Number(match[1])
    const last = Number(match[2] ?? match[1])
    for (let number = first; number <= last; number++) numbers.add(number)
  }
  return [...numbers].sort((a, b) => a - b)
}

/** Parses `31-40=2028-06-01;41=2031-06-01` as dates by version. */
export function retirementDays(variable: string, text: string): ReadonlyMap<number, Date> {
  const days = new Map<number, Date>()
  for (const part of text.split(';').filter((piece) => piece.trim() !== '')) {
    const [versions, day = '', ...more] = part.split('=').map((piece) => piece.trim())
    const date = new Date(`${day}T00:00:00Z`)
    const isDay = !Number.isNaN(date.getTime()) && date.toISOString().slice(0, 10) === day
    if (!isDay || more.length > 0) {
      throw new ConfigError(`${variable} takes parts like 31-40=2028-06-01, not "${part}".`)
    }
    for (const version of versionNumbers(variable, versions!)) days.set(version, date)
  }
  return days
}

export function origin(variable: string, text: string | undefined): string | undefined {
  if (text === undefined || text === '') return undefined
  if (!URL.canParse(text) || !/^https?:/.test(text)) {
    throw new ConfigError(`${variable} must be an http or https address, not "${text}".`)
  }
  return new URL(text).origin
}

/** Parses `10.0.0.0/8,127.0.0.1` as a list of address ranges. */
export function addressList(variable: string, text: string | undefined): BlockList | undefined {
  if (text === undefined) return undefined
  const list = new BlockList()
  for (const part of text.split(',').map((piece) => piece.trim())) {
    const [address = '', bits, ...more] = part.split('/')
    const version = isIP(address)
    const family = version === 6 ? 'ipv6' : 'ipv4'
    const max = version === 6 ? 128 : 32
    const isNetwork = bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= max)
    if (version === 0 || !isNetwork || more.length > 0) {
      throw new ConfigError(
        `${variable} takes addresses and networks like 10.0.0.0/8,127.0.0.1, not "${part}".`,
      )
    }
    list.addSubnet(address, bits === undefined ? max : Number(bits), family)
  }
  return list
}

export function postgresAddress(variable: string, text: string | undefined): string | undefined {
  // The URL may contain a password, so the message does not show it.
  if (text !== undefined && !/^(postgres|postgresql|socket):/.test(text)) {
    throw new ConfigError(`${variable} must be an address like postgres://user@host:5432/database.`)
  }
  return text
}

/** @param what `a folder` or `a file` */
export function existing(variable: string, what: string, path: string | undefined): string | undefined {
  if (path !== undefined && !existsSync(path)) {
    throw new ConfigError(`${variable} must be ${what} that is there, not "${path}".`)
  }
  return path
}

export function parseSecretKey(variable: string, text: string | undefined): Buffer | undefined {
  if (text === undefined) return undefined
  const key = /^[0-9a-fA-F]{64}$/.test(text) ? Buffer.from(text, 'hex') : Buffer.from(text, 'base64')
  if (key.length === 32 && /^[A-Za-z0-9+/_=-]+$/.test(text)) return key
  throw new ConfigError(`${variable} must be 32 bytes in base64 or hexadecimal: openssl rand -base64 32`)
}

export function oneOf<Choice extends string>(
  variable: string,
  text: string,
  choices: readonly Choice[],
): Choice {
  const choice = choices.find((one) => one === text)
  if (choice !== undefined) return choice
  throw new ConfigError(`${variable} must be ${choices.join(', ')}, not "${text}".`)
}

/** A token that can be sent in a header. The message does not show it, since it is a secret. */
export function headerToken(variable: string, text: string | undefined): string | undefined {
  if (text === undefined || /^[\x21-\x7e]+$/.test(text)) return text
  throw new ConfigError(`${variable} must be of letters, digits and signs, without spaces.`)
}

export function flag(variable: string, text: string): boolean {
  if (text === 'true' || text === 'false') return text === 'true'
  throw new ConfigError(`${variable} must be true or false, not "${text}".`)
}
