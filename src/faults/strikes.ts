import { createHash } from 'node:crypto'
import type { FaultMatch } from './fault-plan.ts'

/** From 0 to 100, without 100: the same for a seed and a number in every process, and like chance from number to number. */
function lot(seed: number, number: number): number {
  const bytes = createHash('sha256').update(`${seed} ${number}`).digest()
  return (bytes.readUInt32BE(0) / 2 ** 32) * 100
}

/** Whether a plan strikes the n-th of the calls that fit it, from 1. Nothing else decides it, so it can be repeated. */
export function appliesTo({ nth, every, percent, seed = 0 }: FaultMatch, number: number): boolean {
  if (nth !== undefined) return number === nth
  if (every !== undefined) return number % every === 0
  if (percent !== undefined) return lot(seed, number) < percent
  return true
}
