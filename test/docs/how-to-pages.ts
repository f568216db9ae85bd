import { globSync } from 'node:fs'
import { basename, resolve } from 'node:path'

const FOLDER = resolve(import.meta.dirname, '../../docs/how-to')

/** The how-tos from one first letter to another, both included. Each file of tests has some, so that they run side by side. */
export const howToPages = (from: string, to: string): readonly string[] =>
  globSync(`${FOLDER}/*.md`)
    .filter((path) => basename(path)[0]! >= from && basename(path)[0]! <= to)
    .sort()
