import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/*
 * `npm exec -- node scripts/write-sbom.ts > sbom.json`: the bill of materials of the published package, as CycloneDX. npm knows the packages that are installed with
 * it, not those that are in its bundle; here both are named, in the versions of the lock file. Run it after `npm ci`.
 */

const ROOT = join(import.meta.dirname, '..')

interface Component {
  readonly name: string
  readonly version: string
  readonly 'bom-ref': string
}

interface Bill {
  components: Component[]
  dependencies: { ref: string; dependsOn: string[] }[]
  readonly metadata: { readonly component: { name: string; readonly 'bom-ref': string } }
}

function list(...options: string[]): Bill {
  const args = ['sbom', '--sbom-format', 'cyclonedx', '--sbom-type', 'application', ...options]
  return JSON.parse(execFileSync('npm', args, { cwd: ROOT, encoding: 'utf8', maxBuffer: 2 ** 28 }))
}

const read = (file: string) => JSON.parse(readFileSync(join(ROOT, 'build', file), 'utf8'))
/** Name and version of what is in the bundles of the server and of the console. */
const bundled = [read('bundle.json').packages, read('console/.packages.json')].flatMap((packages) =>
  Object.entries(packages).map(([name, version]) => `${name}@${version}`),
)
const nameOf = ({ name, version }: Component) => `${name}@${version}`
const bill = list('--workspaces=false')
const ofConsole = list('--workspace=console')
const installed = list('--workspaces=false', '--omit', 'dev').components.map(nameOf)
const published = new Set([...bundled, ...installed])
const all = new Map(
  [...bill.components, ...ofConsole.components].map((component) => [component['bom-ref'], component]),
)
const kept = [...all.values()].filter((component) => published.has(nameOf(component)))
const missing = bundled.filter((one) => !kept.some((component) => nameOf(component) === one))
if (missing.length > 0) throw new Error(`npm does not know of ${missing.join(', ')}: run npm ci first`)
const refs = new Set(kept.map((component) => component['bom-ref']))
const { component } = bill.metadata
const own = component['bom-ref']
component.name = 'objectry'

bill.components = kept
bill.dependencies = [
  { ref: own, dependsOn: [...refs] },
  ...[...bill.dependencies, ...ofConsole.dependencies]
    .filter(({ ref }, at, list) => refs.has(ref) && list.findIndex((one) => one.ref === ref) === at)
    .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter((one) => refs.has(one)) })),
]
process.stdout.write(`${JSON.stringify(bill, null, 2)}\n`)
