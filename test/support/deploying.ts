import assert from 'node:assert/strict'
import type { DeploymentBody } from '../../src/admin/schema.ts'
import type { DefinitionFiles, ObjectFile } from '../../src/definitions/formats/object-file.ts'
import type { Answer, TestOrg } from './org.ts'

export type Objects = DefinitionFiles['objects']

interface More {
  readonly valueSets?: DefinitionFiles['valueSets']
  readonly permissionSets?: DefinitionFiles['permissionSets']
  readonly profiles?: DefinitionFiles['profiles']
  readonly settings?: DefinitionFiles['settings']
  readonly mode?: 'replace' | 'keep'
  readonly allowDestructive?: boolean
  readonly planOnly?: boolean
}

/** Sends definitions to the admin API, whatever the answer is. */
export const deploy = (o: TestOrg, objects: Objects, more: More = {}): Promise<Answer> =>
  o.call('PUT', '/setup/orgs/current/schema', { body: { objects, ...more } })

/** The steps of a deployment that must succeed. */
export async function fetchSteps(
  o: TestOrg,
  objects: Objects,
  more?: More,
): Promise<DeploymentBody['steps']> {
  const answer = await deploy(o, objects, more)
  assert.equal(answer.status, 200, answer.text)
  return answer.body.steps
}

/** The same in words: `+ Box__c.Color__c: new string`. */
export async function fetchPlan(o: TestOrg, objects: Objects, more?: More): Promise<string[]> {
  const steps = await fetchSteps(o, objects, more)
  const signs = { add: '+', change: '~', destroy: '-' }
  return steps.map(
    ({ kind, object, field, record, what }) =>
      `${signs[kind]} ${object}${field ? `.${field}` : ''}${record ? ` ${record}` : ''}: ${what}`,
  )
}

/** Why a deployment is refused; fails the test when it is not. */
export async function fetchRefusals(o: TestOrg, objects: Objects, more?: More): Promise<string[]> {
  const answer = await deploy(o, objects, more)
  assert.equal(answer.status, 400, answer.text)
  return answer.body.map(({ errorCode, message }: { errorCode: string; message: string }) => {
    assert.equal(errorCode, 'DEPLOYMENT_REFUSED')
    return message
  })
}

/** An object file with these fields. */
export const withFields = (fields: NonNullable<ObjectFile['fields']>, more: ObjectFile = {}): ObjectFile => ({
  ...more,
  fields,
})
