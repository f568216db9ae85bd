/** Kinds of files by extension: the media type, and the value of `FileType`. */
const KINDS: Readonly<Record<string, readonly [contentType: string, fileType: string]>> = {
  csv: ['text/csv', 'CSV'],
  doc: ['application/msword', 'WORD'],
  docx: ['application/vnd.openxmlformats-officedocument.wordprocessingml.document', 'WORD_X'],
  gif: ['image/gif', 'GIF'],
  htm: ['text/html', 'HTML'],
  html: ['text/html', 'HTML'],
  jpeg: ['image/jpeg', 'JPG'],
  jpg: ['image/jpeg', 'JPG'],
  json: ['application/json', 'JSON'],
  md: ['text/markdown', 'UNKNOWN'],
  mp3: ['audio/mpeg', 'MP3'],
  mp4: ['video/mp4', 'MP4'],
  pdf: ['application/pdf', 'PDF'],
  png: ['image/png', 'PNG'],
  ppt: ['application/vnd.ms-powerpoint', 'POWER_POINT'],
  pptx: ['application/vnd.openxmlformats-officedocument.presentationml.presentation', 'POWER_POINT_X'],
  snote: ['text/html', 'SNOTE'],
  svg: ['image/svg+xml', 'SVG'],
  txt: ['text/plain', 'TEXT'],
  xls: ['application/vnd.ms-excel', 'EXCEL'],
  xlsx: ['application/vnd.openxmlformats-officedocument.spreadsheetml.sheet', 'EXCEL_X'],
  xml: ['text/xml', 'XML'],
  zip: ['application/zip', 'ZIP'],
}

const findKind = (extension: string) =>
  Object.hasOwn(KINDS, extension.toLowerCase()) ? KINDS[extension.toLowerCase()] : undefined

/** The extension of a file name, if it has one. */
export const getExtension = (name: string): string | undefined => /\.([A-Za-z0-9]{1,20})$/.exec(name)?.[1]

/** `PDF`, `TEXT`; `UNKNOWN` for an extension that is not listed. */
export const getFileType = (extension: string | undefined): string =>
  (extension === undefined ? undefined : findKind(extension)?.[1]) ?? 'UNKNOWN'

const MEDIA_TYPE = /^[\w.+-]+\/[\w.+-]+(\s*;[\x20-\x7e]*)?$/

/** The media type that a record names, directly or by a file extension. */
export function getContentType(named: string | null): string {
  const type = named ?? ''
  if (MEDIA_TYPE.test(type)) return type
  return findKind(type)?.[0] ?? 'application/octet-stream'
}
