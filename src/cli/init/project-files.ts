import { jsonText } from '../result/outcome.ts'

/* The files of a new project: small, and each shows one thing that a deployment can have. */

const PROJECT_OBJECT = `# A custom object. Its fields follow from its tasks without any code.
label: Project
fields:
  Budget__c: { type: currency, scale: 2, required: true }
  Cost__c:
    type: currency
    scale: 2
    rollUp: { object: ProjectTask__c, reference: Project__c, function: sum, field: Cost__c }
  Left__c: { type: currency, scale: 2, formula: Budget__c - Cost__c }
validations:
  WithinBudget:
    condition: Cost__c > Budget__c
    message: The tasks cost more than the budget.
`

const TASK_OBJECT = `label: Project task
fields:
  Project__c: { type: reference, to: Project__c, masterDetail: 0, children: Tasks__r }
  Cost__c: { type: currency, scale: 2 }
`

const TRIGGER = `// Every project begins with a task. A trigger is handed lists: it creates for all of them at once.

interface Change {
  record: { Id: string }
}

interface Org {
  create(object: string, records: object[]): Promise<unknown>
}

export default {
  object: 'Project__c',

  async afterInsert(changes: Change[], org: Org) {
    await org.create(
      'ProjectTask__c',
      changes.map(({ record }) => ({ Name: 'Kick-off', Project__c: record.Id, Cost__c: 0 })),
    )
  },
}
`

const RESOURCE = `// GET /services/customrest/projects/<name>: what is left of a project's budget.
import { HttpError } from 'objectry'

interface Request {
  params: { name: string }
}

interface Org {
  query(soql: string, values?: object): Promise<{ Left__c: number }[]>
}

export default {
  path: '/projects/:name',

  async GET({ params: { name } }: Request, org: Org) {
    const [project] = await org.query('SELECT Left__c FROM Project__c WHERE Name = :name', { name })
    if (project === undefined) throw new HttpError(404, 'There is no such project.')
    return { name, left: project.Left__c }
  },
}
`

const JOB = `// Runs every morning: says which projects have used up their budget.

interface Org {
  query(soql: string): Promise<{ Name: string }[]>
  log(message: string): void
}

export default {
  cron: '0 6 * * *',
  timeZone: 'UTC',

  async run(_payload: unknown, org: Org) {
    for (const { Name } of await org.query('SELECT Name FROM Project__c WHERE Left__c = 0')) {
      org.log(\`The budget of \${Name} is used up.\`)
    }
  },
}
`

const TEST = `import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { startOrg } from 'objectry/test'

let org: Awaited<ReturnType<typeof startOrg>>

before(async () => {
  org = await startOrg({ deployment: 'deployment' })
})
after(() => org.stop())

// Each test finds the org as it was at the start.
beforeEach(() => org.restore())

async function create(object: string, fields: object): Promise<string> {
  const { status, body } = await org.call('POST', \`/sobjects/\${object}\`, fields)
  assert.equal(status, 201, JSON.stringify(body))
  return (body as { id: string }).id
}

test('a project begins with a task, and its whole budget', async () => {
  const id = await create('Project__c', { Name: 'Bridge', Budget__c: 100 })
  const { body } = await org.call('GET', \`/sobjects/Project__c/\${id}/Tasks__r\`)
  assert.equal((body as { totalSize: number }).totalSize, 1)
  const left = await org.call('GET', '/services/customrest/projects/Bridge')
  assert.deepEqual(left.body, { name: 'Bridge', left: 100 })
})

test('tasks stay within the budget', async () => {
  const id = await create('Project__c', { Name: 'Bridge', Budget__c: 100 })
  await create('ProjectTask__c', { Name: 'Piers', Project__c: id, Cost__c: 60 })
  const task = { Name: 'Deck', Project__c: id, Cost__c: 60 }
  const { status, body } = await org.call('POST', '/sobjects/ProjectTask__c', task)
  assert.equal(status, 400)
  assert.match(JSON.stringify(body), /The tasks cost more than the budget/)
})
`

const TSCONFIG = {
  compilerOptions: {
    target: 'es2024',
    module: 'nodenext',
    types: ['node'],
    noEmit: true,
    strict: true,
    skipLibCheck: true,
    erasableSyntaxOnly: true,
    verbatimModuleSyntax: true,
    allowImportingTsExtensions: true,
  },
  include: ['deployment', 'test'],
}

/** Where `npm install` takes Objectry from, and from where else it can. */
export const installText = (objectry: string): string =>
  objectry.startsWith('file:')
    ? `npm install takes Objectry from ${objectry.slice('file:'.length)}. To take it from elsewhere, change package.json.`
    : `npm install takes Objectry ${objectry} from npm's registry. Where that does not have it, run npm pack in a checkout of Objectry,\nand here npm install <the file that this made>.`

const readme = (objectry: string) => `# Records

An Objectry project.

| folder | what is there |
|---|---|
| \`deployment/objects\` | custom objects, with a roll-up, a formula and a validation rule |
| \`deployment/triggers\` | code that runs with every write of an object |
| \`deployment/resources\` | resources of your own below \`/services/customrest\` |
| \`deployment/jobs\` | background jobs |
| \`test\` | tests, each with an org of its own |

\`\`\`sh
npm install
npm test            # the tests
npm start           # the server; its data is in .objectry
npm run deploy      # the objects of the deployment, into the org that is there
npm run types       # deployment/objectry.d.ts: the fields of every object, for your editor
npm run check       # type checks
\`\`\`

${installText(objectry)}
`

const FLAG = '--deployment deployment'

/** @param objectry what npm installs as Objectry: a range of versions, a packed file or the folder of a checkout */
const packageJson = (objectry: string) => ({
  private: true,
  type: 'module',
  scripts: {
    start: `objectry serve ${FLAG}`,
    deploy: `objectry deploy ${FLAG}`,
    types: `objectry types ${FLAG}`,
    test: 'node --test "test/**/*.test.ts"',
    check: 'tsc --noEmit',
  },
  dependencies: { objectry },
  devDependencies: { '@types/node': '^24.0.0', typescript: '^5.9.0' },
})

/** The files of a new project, by their paths. */
export const projectFiles = (objectry: string): ReadonlyMap<string, string> =>
  new Map([
    ['deployment/objects/Project__c.yaml', PROJECT_OBJECT],
    ['deployment/objects/ProjectTask__c.yaml', TASK_OBJECT],
    ['deployment/triggers/first-task.ts', TRIGGER],
    ['deployment/resources/projects.ts', RESOURCE],
    ['deployment/jobs/used-up.ts', JOB],
    ['test/projects.test.ts', TEST],
    ['package.json', jsonText(packageJson(objectry))],
    ['tsconfig.json', jsonText(TSCONFIG)],
    ['README.md', readme(objectry)],
    ['.gitignore', 'node_modules/\n.objectry/\n'],
  ])
