import type { FieldFile } from '../../../definitions/formats/field-file.ts'
import type { FieldSource } from './field-source.ts'

/** A flag, left out when it is false. */
export const readFlag = <Name extends keyof FieldFile>({ xml }: FieldSource, name: Name): FieldFile =>
  xml.isTrue(name) ? { [name]: true } : {}
