import type { ApiError } from '../../base/api-error.ts'

/** The errors of a row in the form of the results: `CODE:message:Field --`. */
export const formatErrors = ({ items }: ApiError): string =>
  items
    .map(({ errorCode, message, fields }) => {
      const named = fields.length === 0 ? '' : `${fields.join(',')} `
      return `${errorCode}:${message}:${named}--`
    })
    .join(';')
