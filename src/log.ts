import { destination, type Logger, pino } from 'pino'
import type { AnsweredRequest, Observe } from './base/observation.ts'

/** Log lines as JSON on standard output, written in batches: a slow reader does not slow the calls down. */
export function openLog(level: string): Logger {
  if (level === 'silent') return pino({ level })
  const output = destination({ fd: 1, sync: false, minLength: 4096 })
  setInterval(() => output.flush(), 1000).unref()
  return pino({ level }, output)
}

/** What is told of a failure: never the values of a statement, which drivers hang on their errors. */
function failureOf(error: unknown) {
  if (!(error instanceof Error)) return { failure: String(error) }
  const { code } = error as NodeJS.ErrnoException
  return { failure: error.message, code, stack: error.stack }
}

/** One line per request. No headers, no bodies. */
function lineOf({ id, method, path, route, status, milliseconds, statements }: AnsweredRequest) {
  return { id, method, path, route, status, milliseconds: rounded(milliseconds), statements }
}

/** Longer statements are cut off in the log. */
const MAX_LENGTH = 2000

const rounded = (milliseconds: number) => Math.round(milliseconds * 10) / 10

/** Observations as log lines. What a client sent never gets into one, but for its path and its id for the request. */
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
          { id: observation.requestId, errorId: observation.errorId, ...failureOf(observation.error) },
          'failure',
        )
        return
      case 'request':
        if (log.isLevelEnabled('info')) log.info(lineOf(observation), 'request')
        return
      case 'statement': {
        if (!observation.isSlow) return
        const { requestId: id, milliseconds, text } = observation
        log.warn(
          { id, milliseconds: rounded(milliseconds), text: text.slice(0, MAX_LENGTH) },
          'slow statement',
        )
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
