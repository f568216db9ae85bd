import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import fc from 'fast-check'
import { queryPath } from '../support/ask.ts'
import { sendDocument } from '../support/graphql.ts'
import { openOrg, type TestOrg } from '../support/org.ts'
import { addPerson, allow, type Person, type Right } from '../support/people.ts'
import { runs } from '../support/runs.ts'
import { standardObject } from '../support/standard-object.ts'

/*
 * Who sees and changes files, for random rights and random links: what a plain model computes, in every API, for
 * the file, to its versions, to their bytes and to its links.
 */

const RUNS = runs(4)

type ShareType = 'V' | 'C' | 'I'

interface Link {
  readonly id: string
  /** An account, a person or everybody. */
  readonly location: { readonly account: number } | { readonly person: number } | 'pair' | 'everybody'
  readonly shareType: ShareType
}

interface File {
  readonly id: string
  readonly version: string
  readonly owner: number
  readonly links: readonly Link[]
}

const PEOPLE = 4
/** Ranks in the hierarchy; the last one has none. */
const RANKS = [0, 1, 1, undefined]
const ACCOUNTS = 4
const FILES = 14
/** The members of a group. */
const PAIR = [1, 3]
/** By account whom it is shared with, to read or to edit. */
const SHARED: readonly (readonly [who: number, level: 'Read' | 'Edit'])[] = [
  [1, 'Read'],
  [2, 'Edit'],
  [3, 'Edit'],
  [0, 'Read'],
]

let o: TestOrg
let people: Person[]
let files: File[]

async function publish(n: number): Promise<File> {
  const owner = n % PEOPLE
  const version = await o.create('ContentVersion', {
    Title: `Paper ${n}`,
    PathOnClient: `${n}.txt`,
    VersionData: 'aGVsbG8=',
    OwnerId: people[owner]!.id,
  })
  const [{ ContentDocumentId: id }] = (
    await o.call('GET', queryPath(`SELECT ContentDocumentId FROM ContentVersion WHERE Id = '${version}'`))
  ).body.records
  return { id, version, owner, links: [] }
}

before(async () => {
  o = await openOrg()
  await o.services.runtimes.of(o.org).snapshots.deploy(o.db, {
    objects: [{ ...standardObject('Account'), sharing: 'private' }],
    mode: 'keep',
    allowDestructive: true,
  })
  const top = await o.create('UserRole', { Name: 'Top' })
  const roles = [top, await o.create('UserRole', { Name: 'Below', ParentRoleId: top })]
  people = []
  for (const [n, rank] of RANKS.entries()) {
    people.push(await addPerson(o, `p${n}`, { UserRoleId: rank === undefined ? null : roles[rank] }))
  }
  const group = await o.create('Group', { Name: 'Pair', Type: 'Regular' })
  for (const n of PAIR) await o.create('GroupMember', { GroupId: group, UserOrGroupId: people[n]!.id })
  const accounts: string[] = []
  for (let n = 0; n < ACCOUNTS; n++) {
    const id = await o.create('Account', { Name: `Account ${n}`, OwnerId: people[n]!.id })
    accounts.push(id)
    const [who, AccountAccessLevel] = SHARED[n]!
    const share = { AccountId: id, UserOrGroupId: people[who]!.id, AccountAccessLevel }
    await o.create('AccountShare', share)
  }
  files = []
  for (let n = 0; n < FILES; n++) {
    const file = await publish(n)
    const locations: [Link['location'], string, ShareType][] = []
    if (n % 3 !== 0) {
      const account = (n * 3 + 1) % ACCOUNTS
      locations.push([{ account }, accounts[account]!, (['V', 'C', 'I'] as const)[n % 3]!])
    }
    if (n % 4 === 1) {
      const person = (n + 2) % PEOPLE
      const shareType = n % 8 === 1 ? 'V' : 'C'
      if (person !== file.owner) locations.push([{ person }, people[person]!.id, shareType])
    }
    if (n % 5 === 2) locations.push(['pair', group, n % 2 === 0 ? 'V' : 'C'])
    if (n === 6) locations.push(['everybody', o.org.id, 'V'])
    const links: Link[] = []
    for (const [location, LinkedEntityId, ShareType] of locations) {
      const fields = { ContentDocumentId: file.id, LinkedEntityId, ShareType }
      links.push({ id: await o.create('ContentDocumentLink', fields), location, shareType: ShareType })
    }
    files.push({ ...file, links })
  }
})

interface Rights {
  readonly account: ReadonlySet<Right>
  readonly file: ReadonlySet<Right>
  readonly version: ReadonlySet<Right>
}

const all = (given: ReadonlySet<Right>) => ({
  read: given.size > 0,
  edit: given.has('Edit') || given.has('ModifyAllRecords'),
  viewAll: given.has('ViewAllRecords') || given.has('ModifyAllRecords'),
  modifyAll: given.has('ModifyAllRecords'),
})

const isAbove = (a: number, b: number) =>
  RANKS[a] !== undefined && RANKS[b] !== undefined && RANKS[a] < RANKS[b]

/** Returns the files that somebody sees and edits, as one would find out by hand. */
function model(who: number, rights: Rights) {
  const onAccount = all(rights.account)
  const onFile = all(rights.file)
  const onVersion = all(rights.version)
  const ownsAccount = (n: number) => n === who || isAbove(who, n)
  const sharedAs = (n: number) => (SHARED[n]![0] === who ? SHARED[n]![1] : undefined)
  const seesAccount = (n: number) =>
    onAccount.read && (onAccount.viewAll || ownsAccount(n) || sharedAs(n) !== undefined)
  const editsAccount = (n: number) =>
    onAccount.edit && (onAccount.modifyAll || ownsAccount(n) || sharedAs(n) === 'Edit')
  const reads = ({ location, shareType }: Link): boolean => {
    if (location === 'everybody') return true
    if (location === 'pair') return PAIR.includes(who) && shareType !== 'I'
    return 'account' in location ? seesAccount(location.account) : location.person === who
  }
  const edits = (link: Link): boolean => {
    const { location, shareType } = link
    if (shareType === 'C') return reads(link)
    return (
      shareType === 'I' &&
      typeof location === 'object' &&
      'account' in location &&
      editsAccount(location.account)
    )
  }
  const owns = ({ owner }: File) => owner === who || isAbove(who, owner)
  const reaches = (file: File) => onFile.read && (onFile.viewAll || owns(file) || file.links.some(reads))
  const changes = (file: File) => onFile.modifyAll || owns(file) || file.links.some(edits)
  const isSeen = (file: File) => onVersion.read && (onVersion.viewAll || reaches(file))
  return {
    files: files.filter(reaches),
    versions: files.filter(isSeen),
    editableFiles: files.filter((file) => onFile.edit && reaches(file) && changes(file)),
    editableVersions: files.filter(
      (file) => onVersion.edit && (onVersion.modifyAll || (isSeen(file) && onFile.read && changes(file))),
    ),
  }
}

const sorted = (ids: readonly string[]) => ids.toSorted()
const idsOf = (found: readonly File[]) => sorted(found.map(({ id }) => id))
const versionsOf = (found: readonly File[]) => sorted(found.map(({ version }) => version))

async function idsIn(person: Person, path: string, member = 'records'): Promise<string[]> {
  const { status, body, text } = await person.call('GET', path)
  assert.equal(status, 200, text)
  return sorted(body[member].map(({ Id }: { Id: string }) => Id))
}

const addresses = (object: string, ids: readonly string[], end = '') =>
  ids.map((id) => `/sobjects/${object}/${id}${end}`)

async function openAmong(person: Person, ids: readonly string[], urls: readonly string[]): Promise<string[]> {
  const open: string[] = []
  for (const [n, url] of urls.entries()) {
    const { status, text } = await person.call('GET', url)
    assert.ok(status === 200 || status === 404, `${status} ${text}`)
    if (status === 200) open.push(ids[n]!)
  }
  return sorted(open)
}

/** Every API for the records of one of the two objects. */
async function checkRoads(person: Person, object: string, ids: readonly string[], seen: readonly string[]) {
  assert.deepEqual(await openAmong(person, ids, addresses(object, ids)), seen, `${object} by id`)
  assert.deepEqual(await idsIn(person, queryPath(`SELECT Id FROM ${object}`)), seen, `${object} query`)
  const search = `/search?q=${encodeURIComponent(`FIND {Paper} RETURNING ${object}(Id)`)}`
  assert.deepEqual(await idsIn(person, search, 'searchRecords'), seen, `${object} search`)
  const listed = await person.call('POST', `/composite/sobjects/${object}`, { body: { ids, fields: ['Id'] } })
  const inList = listed.body.flatMap((one: { Id: string } | null) => one?.Id ?? [])
  assert.deepEqual(sorted(inList), seen, `${object} collection`)
  const steps = ids.map((id, n) => ({
    ...{ method: 'GET', referenceId: `r${n}` },
    url: `/services/data/v64.0/sobjects/${object}/${id}`,
  }))
  const { body } = await person.call('POST', '/composite', { body: { compositeRequest: steps } })
  type Step = { httpStatusCode: number; body: { Id: string } }
  const inside = body.compositeResponse.filter(({ httpStatusCode }: Step) => httpStatusCode === 200)
  assert.deepEqual(sorted(inside.map((step: Step) => step.body.Id)), seen, `${object} composite`)
  const page = '(first: 200, where: {Title: {like: "%"}}) { totalCount edges { node { Id } } }'
  const { data } = await sendDocument(person, `{ uiapi { query { ${object}${page} } } }`)
  const { totalCount, edges } = data.uiapi.query[object]
  const nodes = edges.map(({ node }: { node: { Id: string } }) => node.Id)
  assert.deepEqual([totalCount, sorted(nodes)], [seen.length, seen], `${object} graphql`)
  const range = `start=${new Date(Date.now() - 600_000).toISOString()}&end=${new Date(Date.now() + 600_000).toISOString()}`
  const changed = await person.call('GET', `/sobjects/${object}/updated?${range}`)
  assert.deepEqual(sorted(changed.body.ids), seen, `${object} updated`)
  const used = await person.call('GET', '/recent?limit=200')
  const recent = used.body.filter((one: { attributes: { type: string } }) => one.attributes.type === object)
  assert.ok(
    recent.every(({ Id }: { Id: string }) => seen.includes(Id)),
    `${object} recent`,
  )
}

async function check(who: number, rights: Rights): Promise<void> {
  const person = people[who]!
  const expected = model(who, rights)
  const [ids, versions] = [files.map(({ id }) => id), files.map(({ version }) => version)]
  const seen = idsOf(expected.files)
  const seenVersions = versionsOf(expected.versions)
  const closed = async (url: string) => assert.equal((await person.call('GET', url)).status, 404)
  if (all(rights.file).read) await checkRoads(person, 'ContentDocument', ids, seen)
  else for (const url of addresses('ContentDocument', ids)) await closed(url)
  const bytes = addresses('ContentVersion', versions, '/VersionData')
  assert.deepEqual(await openAmong(person, versions, bytes), seenVersions, 'bytes')
  if (!all(rights.version).read) return
  await checkRoads(person, 'ContentVersion', versions, seenVersions)
  if (all(rights.file).read) {
    const upward = addresses('ContentVersion', versions, '/ContentDocument')
    const both = idsOf(expected.versions.filter((file) => expected.files.includes(file)))
    assert.deepEqual(await openAmong(person, ids, upward), both, 'from a version to its file')
    const downward = `SELECT Id, (SELECT Id FROM ContentVersions) FROM ContentDocument`
    const { body } = await person.call('GET', queryPath(downward))
    type Row = { ContentVersions: { records: { Id: string }[] } | null }
    const children = body.records.flatMap((row: Row) => row.ContentVersions?.records ?? [])
    assert.deepEqual(
      sorted(children.map(({ Id }: { Id: string }) => Id)),
      versionsOf(expected.files.filter((file) => expected.versions.includes(file))),
      'from a file to its versions',
    )
  }
  const writable = async (object: string, wanted: readonly string[]) => {
    const done: string[] = []
    for (const id of wanted) {
      const answer = await person.call('PATCH', `/sobjects/${object}/${id}`, { body: {} })
      if (answer.status === 204) done.push(id)
    }
    return sorted(done)
  }
  assert.deepEqual(await writable('ContentDocument', ids), idsOf(expected.editableFiles), 'edited files')
  assert.deepEqual(
    await writable('ContentVersion', versions),
    versionsOf(expected.editableVersions),
    'edited versions',
  )
  for (const file of files.slice(0, 4)) {
    const answer = await o.call('GET', `/setup/orgs/current/why?user=${person.id}&record=${file.version}`)
    const allowed = answer.body.verdicts.map((verdict: { allowed: boolean }) => verdict.allowed).slice(0, 2)
    const wanted = [expected.versions.includes(file), expected.editableVersions.includes(file)]
    assert.deepEqual(allowed, wanted, `why ${answer.text}`)
  }
}

const RIGHTS: readonly Right[] = [
  'Read',
  'Read',
  'Read',
  'Edit',
  'Edit',
  'ViewAllRecords',
  'ModifyAllRecords',
]
const rights = fc
  .uniqueArray(fc.constantFrom<Right>(...RIGHTS), { maxLength: 2 })
  .map((given): ReadonlySet<Right> => new Set(given))
const mostly = fc.oneof(
  { weight: 3, arbitrary: fc.constant(new Set<Right>(['Edit'])) },
  { arbitrary: rights, weight: 2 },
)

describe('files', () => {
  test('are seen and changed in every API as their owners, links and permissions say', async () => {
    const run = async (
      who: number,
      account: ReadonlySet<Right>,
      file: ReadonlySet<Right>,
      version: ReadonlySet<Right>,
    ) => {
      const person = people[who]!
      const setId = await o.create('PermissionSet', { Name: 'Random', Label: 'Random' })
      await o.create('PermissionSetAssignment', { PermissionSetId: setId, AssigneeId: person.id })
      const given = { Account: account, ContentDocument: file, ContentVersion: version }
      try {
        for (const [object, set] of Object.entries(given)) {
          if (set.size > 0) await allow(o, setId, object, ...set, 'ViewAllFields')
        }
        await check(who, { account, file, version })
      } finally {
        await o.call('DELETE', `/sobjects/PermissionSet/${setId}`)
      }
    }
    const everybody = fc.integer({ min: 0, max: PEOPLE - 1 })
    await fc.assert(fc.asyncProperty(everybody, rights, mostly, mostly, run), { numRuns: RUNS })
  })
})
