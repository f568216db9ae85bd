const CHARSET = /;\s*charset\s*=\s*"?([^\s";]*)/i

/** Returns the charset that a Content-Type names: UTF-8 if it names none. */
export const findCharset = (contentType: string): string => CHARSET.exec(contentType)?.[1] ?? 'UTF-8'

/** True if texts of this charset are texts in UTF-8. */
export const isReadAsUtf8 = (charset: string): boolean => /^(?:utf-8|us-ascii)$/i.test(charset)
