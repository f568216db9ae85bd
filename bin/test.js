// `objectry/test`, which says what is wrong where Node is too old to read the rest.
import { findNodeProblem } from './node-version.js'

const problem = findNodeProblem()
if (problem !== undefined) throw new Error(problem)

export const { startOrg } = await import('../build/testkit/start-org.js')
