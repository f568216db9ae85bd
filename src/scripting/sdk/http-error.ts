/**
 * An error response that a handler throws: `throw new HttpError(404, 'There is no such contact')` sends 404 with
 * `{"error":"There is no such contact"}` and rolls back what the handler has written.
 */
export class HttpError extends Error {
  readonly status: number

  constructor(status: number, message: string) {
    super(message)
    if (!Number.isInteger(status) || status < 400 || status > 599) {
      throw new RangeError(`An HttpError has a status from 400 to 599, not ${status}`)
    }
    this.name = 'HttpError'
    this.status = status
  }
}
