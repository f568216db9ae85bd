import assert from 'node:assert/strict'
import { fromBufferPromise } from 'yauzl'
import { makeArchive } from './archive.ts'
import type { Answer, TestOrg } from './org.ts'
import { callSoap, textOf } from './soap.ts'

/** Makes a call of the SOAP API for metadata. */
export const callMetadata = (o: TestOrg, xml: string, token = o.token): Promise<Answer> =>
  callSoap(o, xml, { letter: 'm', token })

/** Deploys files by SOAP, and waits for the end. */
export async function deployBySoap(
  o: TestOrg,
  files: Readonly<Record<string, string>>,
  options = '<rollbackOnError>true</rollbackOnError>',
) {
  const zip = (await makeArchive(files)).toString('base64')
  const sent = await callMetadata(
    o,
    `<deploy><ZipFile>${zip}</ZipFile><DeployOptions>${options}</DeployOptions></deploy>`,
  )
  assert.equal(sent.status, 200, sent.text)
  return awaitSoapDeploy(o, textOf(sent, 'id')!)
}

/** The result of a deployment that has ended. */
export async function awaitSoapDeploy(o: TestOrg, id: string): Promise<Answer> {
  for (;;) {
    const answer = await callMetadata(
      o,
      `<checkDeployStatus><asyncProcessId>${id}</asyncProcessId><includeDetails>true</includeDetails></checkDeployStatus>`,
    )
    assert.equal(answer.status, 200, answer.text)
    if (textOf(answer, 'done') === 'true') return answer
  }
}

/** The text of each file of an archive. */
async function unpack(base64: string): Promise<Record<string, string>> {
  const zip = await fromBufferPromise(Buffer.from(base64, 'base64'))
  const files: Record<string, string> = {}
  for await (const entry of zip.eachEntry()) {
    let text = ''
    for await (const chunk of await zip.openReadStreamPromise(entry)) text += chunk
    files[entry.fileName] = text
  }
  return files
}

/** Retrieves the types of a manifest: the files of the archive, and the result. */
export async function retrieveBySoap(
  o: TestOrg,
  types: string,
  rest = '',
): Promise<{ files: Record<string, string>; answer: Answer }> {
  const begun = await callMetadata(
    o,
    `<retrieve><retrieveRequest><apiVersion>64.0</apiVersion>${rest}<unpackaged>${types}<version>64.0</version></unpackaged></retrieveRequest></retrieve>`,
  )
  assert.equal(begun.status, 200, begun.text)
  const answer = await callMetadata(
    o,
    `<checkRetrieveStatus><asyncProcessId>${textOf(begun, 'id')}</asyncProcessId></checkRetrieveStatus>`,
  )
  assert.equal(textOf(answer, 'done'), 'true', answer.text)
  return { answer, files: await unpack(textOf(answer, 'zipFile')!) }
}

/** A type of a manifest. */
export const members = (type: string, ...names: readonly string[]) =>
  `<types>${names.map((name) => `<members>${name}</members>`).join('')}<name>${type}</name></types>`
