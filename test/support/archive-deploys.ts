import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { makeArchive } from './archive.ts'
import { multipart } from './multipart.ts'
import type { Answer, TestOrg } from './org.ts'

type Files = Readonly<Record<string, string | Buffer>>
type Body = Answer['body']

/** Sends an archive, whatever comes of it. */
export async function sendArchive(o: TestOrg, zip: Buffer, deployOptions: object = {}): Promise<Answer> {
  return o.call(
    'POST',
    '/metadata/deployRequest',
    await multipart({ file: zip, entity_content: { deployOptions } }),
  )
}

/** The result of a deployment that has ended. */
export async function awaitDeploy(o: TestOrg, id: string): Promise<Body> {
  for (let tries = 0; tries < 600; tries++) {
    const { status, body, text } = await o.call('GET', `/metadata/deployRequest/${id}?includeDetails=true`)
    assert.equal(status, 200, text)
    if (body.deployResult.done) return body.deployResult
    await sleep(50)
  }
  throw new Error('the deployment does not end')
}

/** Deploys files and returns the result. */
export async function deployFiles(
  o: TestOrg,
  files: Files,
  options: object = { rollbackOnError: true },
): Promise<Body> {
  const { status, body, text } = await sendArchive(o, await makeArchive(files), options)
  assert.equal(status, 201, text)
  return awaitDeploy(o, body.id)
}

/** States of the components of a result: `CustomField Item__c.Code__c` to `created`, or to the problem. */
export function componentsOf(result: Body): Record<string, string> {
  const { componentSuccesses, componentFailures } = result.details
  return Object.fromEntries(
    [...componentSuccesses, ...componentFailures].map((one: Body) => {
      const state = one.created ? 'created' : one.deleted ? 'deleted' : one.changed ? 'changed' : 'unchanged'
      const said = one.problem === undefined ? state : `${one.problemType}: ${one.problem}`
      return [`${one.componentType} ${one.fullName}`, said]
    }),
  )
}
