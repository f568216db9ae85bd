import type { Reply } from '../../calls/reply.ts'
import type { HttpContext } from './http-context.ts'

type Awaitable<T> = T | Promise<T>

/** A middleware's reply, which ends the request early. */
class Answered {
  readonly reply: Reply

  constructor(reply: Reply) {
    this.reply = reply
  }
}

export const answered = (reply: Reply): Answered => new Answered(reply)

/**
 * One step before the handler: takes the parts of the context that it names, and gives the parts that it adds; undefined where
 * it adds none. A refusal is thrown as an ApiError.
 */
export type Middleware<In, Added extends object | undefined = undefined> = (
  context: In,
) => Awaitable<Added | Answered>

/** Makes the reply of a request that no middleware has answered. */
export type RequestHandler<In> = (context: In) => Awaitable<Reply>

/** Takes a request to its reply. Undefined: its connection was cut, so there is nothing to send. */
export type RunRequest = (context: HttpContext) => Promise<Reply | undefined>

type Extended<Context, Added> = [Added] extends [undefined] ? Context : Context & Added

/** As the loop sees it: the types hold because `use` and `handle` have checked them. */
type Step = Middleware<never, object | undefined>

/** A call that was stopped has failed as a whole, whatever the deployment's code has made of that. */
function checkStopped({ facts }: HttpContext): void {
  if (facts.running?.isStopped) throw facts.running.over
}

async function run(
  steps: readonly Step[],
  handler: RequestHandler<never>,
  context: HttpContext,
): Promise<Reply | undefined> {
  try {
    let reply: Reply | undefined
    for (const step of steps) {
      const outcome = step(context as never)
      // Most steps have nothing to wait for, and each wait costs a turn.
      const added = outcome instanceof Promise ? await outcome : outcome
      if (context.response.sent) return undefined
      if (added === undefined) continue
      if (added instanceof Answered) {
        reply = added.reply
        break
      }
      Object.assign(context, added)
    }
    if (reply === undefined) {
      const outcome = handler(context as never)
      reply = outcome instanceof Promise ? await outcome : outcome
      if (context.response.sent) return undefined
    }
    // Operations that are there for good stay so; such a reply says which.
    if (reply.isPartial !== true) checkStopped(context)
    return reply
  } catch (error) {
    checkStopped(context)
    throw error
  }
}

/**
 * The middleware of an endpoint, in the order in which it runs. `Context` is what the next one finds: a middleware that needs a
 * part which none before it has added does not compile.
 */
export class Pipeline<Context extends HttpContext> {
  readonly #steps: readonly Step[]

  constructor(steps: readonly Step[]) {
    this.#steps = steps
  }

  use<Added extends object | undefined>(
    middleware: Middleware<Context, Added>,
  ): Pipeline<Extended<Context, Added>> {
    return new Pipeline([...this.#steps, middleware])
  }

  /** Continues with a run of middleware that several endpoints share. */
  apply<Next extends HttpContext>(share: (pipeline: Pipeline<Context>) => Pipeline<Next>): Pipeline<Next> {
    return share(this)
  }

  handle(handler: RequestHandler<Context>): RunRequest {
    const steps = this.#steps
    return (context) => run(steps, handler, context)
  }
}

export const pipeline = () => new Pipeline<HttpContext>([])
