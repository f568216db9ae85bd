import { destination, type Logger, pino } from 'pino'
import type { AnsweredRequest, Observe } from '../base/observation.ts'
import { nameSources } from '../base/source-locations.ts'

/** Size of a batch of lines. The second is what a pipe takes as a whole while other processes write to it. */
const BATCH = { minLength: 4096 }
const SHARED_BATCH = { minLength: 2048, maxWrite: 4096 }

/**
 * Opens a log that writes JSON lines to standard output in batches, so that a slow reader does not slow calls down.
 * @param isShared whether other processes write to the same output: batches are cut so that lines stay whole
 */
export function openLog(level: string, isShared = false): Logger {
  if (level === 'silent') return pino({ level })
  const output = destination({ fd: 1, sync: false, ...(isShared ? SHARED_BATCH : BATCH) })
  setInterval(() => output.flush(), 1000).unref()
  return pino({ level }, output)
}

/** Maximum length of a logged text, in characters: a statement, a message. Longer ones are cut. */
const MAX_LENGTH = 2000

const cut = (text: string) => text.slice(0, MAX_LENGTH)

/** The logged fields of a failure. Never the values of a statement, which drivers add to their errors. */
function describeFailure(error: unknown) {
  if (!(error instanceof Error)) return { failure: cut(String(error)) }
  const { message, stack } = error
  const { code } = error as NodeJS.ErrnoException
  // A stack begins with the message.
  const frames = stack?.replace(message, () => cut(message))
  return { failure: cut(message), code, stack: frames && nameSources(frames) }
}

/** The fields of a request's log line. No headers, no bodies. */
function describeRequest({ id, method, path, route, status, milliseconds, statements }: AnsweredRequest) {
  return { id, method, path, route, status, milliseconds: round(milliseconds), statements }
}

const STRAY = 'something failed that nothing waits for: a trigger or a rule may lack an await'

const round = (milliseconds: number) => Math.round(milliseconds * 10) / 10

/** Writes observations as log lines. Of a client's input they contain only the path and the request id. */
export function observeInto(log: Logger): Observe {
  return (observation) => {
    switch (observation.kind) {
      case 'operation':
        log.debug(observation, observation.kind)
        return
      case 'fault': {
        const { name: fault, orgId, route, method } = observation
        log.info({ fault, orgId, route, method }, 'fault')
        return
      }
      case 'failure':
        log.error(
          { id: observation.requestId, errorId: observation.errorId, ...describeFailure(observation.error) },
          'failure',
        )
        return
      case 'stray':
        log.error({ trigger: observation.trigger, ...describeFailure(observation.error) }, STRAY)
        return
      case 'request':
        if (log.isLevelEnabled('info')) log.info(describeRequest(observation), 'request')
        return
      case 'statement': {
        if (!observation.isSlow) return
        const { requestId: id, milliseconds, text } = observation
        log.warn({ id, milliseconds: round(milliseconds), text: cut(text) }, 'slow statement')
        return
      }
      case 'blocked': {
        const { kind, ...block } = observation
        log.warn(block, 'event loop turns again')
        return
      }
      case 'said':
        log.info({ source: observation.source }, observation.message)
        return
      case 'notice':
        log.info(observation.message)
    }
  }
}
