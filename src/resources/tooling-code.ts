import { type Handler, route } from '../calls/route.ts'
import { NO_TESTS } from '../metadata/deploy/no-tests.ts'

const COMPILE_PROBLEM =
  'Code is TypeScript here: nothing is executed. Put it into the rules, triggers, resources or jobs of a deployment (objectry deploy)'

/** A program that does not compile: clients show the reason, instead of an address that is missing. */
const executeAnonymous: Handler<object> = () => ({
  status: 200,
  body: {
    line: 1,
    column: 1,
    compiled: false,
    success: false,
    compileProblem: COMPILE_PROBLEM,
    exceptionStackTrace: null,
    exceptionMessage: null,
  },
})

const runTests: Handler<object> = () => ({ status: 200, body: NO_TESTS })

/** The body is the id of a run, of which nothing is kept: it has no tests. */
const queueTests: Handler<object> = async ({ ids, db }) => ({ status: 200, body: await ids.make('707', db) })

/** Code that is sent to be executed or tested. There is none. (docs/reference/api/tooling.md#code) */
export const toolingCodeRoutes = [
  route('GET', '/tooling/executeAnonymous', 'platform', executeAnonymous),
  route('GET', '/tooling/runTestsSynchronous', 'platform', runTests),
  route('POST', '/tooling/runTestsSynchronous', 'platform', runTests),
  route('GET', '/tooling/runTestsAsynchronous', 'platform', queueTests),
  route('POST', '/tooling/runTestsAsynchronous', 'platform', queueTests),
]
