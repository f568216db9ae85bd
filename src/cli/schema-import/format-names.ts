/** Formats from which a schema can be imported. */
export const IMPORT_FORMAT_NAMES = ['source', 'describe', 'csv', 'table'] as const

export type ImportFormat = (typeof IMPORT_FORMAT_NAMES)[number]
