import { Turns } from '../../storage/database/turns.ts'
import type { HttpContext, Started } from '../pipeline/http-context.ts'
import type { RequestHandler } from '../pipeline/pipeline.ts'

/** Parsed and carried out, a body takes about ten times its size. */
const LARGE_BODY_BYTES = 8 * 1024 * 1024

const MAX_CONCURRENT = 2
const MAX_WAIT_MS = 30_000

/** Bounds the memory of large bodies: calls that have one run two at a time, and those of one org one after the other. */
export class LargeBodies {
  readonly #turns = new Turns({ connections: MAX_CONCURRENT, waitMs: MAX_WAIT_MS })

  /**
   * Runs a handler in turn where the body is large. The turn begins when the body has been received and ends when the reply
   * has been made, so that a slow client keeps nobody waiting.
   * @throws ApiError SERVER_UNAVAILABLE after the longest wait; why the call is over, when it is before
   */
  takeTurns =
    <Context extends HttpContext & Partial<Started>>(
      handler: RequestHandler<Context>,
    ): RequestHandler<Context> =>
    (context) =>
      context.bytes.length > LARGE_BODY_BYTES ? this.#runInTurn(handler, context) : handler(context)

  async #runInTurn<Context extends HttpContext & Partial<Started>>(
    handler: RequestHandler<Context>,
    context: Context,
  ) {
    const turn = await this.#turns.take({ watch: context.running })
    try {
      return await handler(context)
    } finally {
      this.#turns.release(turn)
    }
  }
}
