import FindMyWay from 'find-my-way'
import type { Resource } from './resources/resource.ts'

interface Match {
  readonly resource: Resource
  /** The `:names` of the path; what stands for `*` is under that name. */
  readonly params: Readonly<Record<string, string>>
}

/** Paths that the same addresses match: names of parameters make no difference. */
const patternOf = (path: string) => path.replaceAll(/:\w+/g, ':')

/**
 * The custom resources of a deployment by their paths: the most specific one wins, case matters, and without `/*` a
 * longer address does not match. (docs/reference/api/custom-resources.md#paths)
 */
export class ResourceTable {
  readonly all: readonly Resource[]
  readonly #tree = FindMyWay({ ignoreTrailingSlash: true, maxParamLength: Number.MAX_SAFE_INTEGER })

  /** @throws Error when two resources have one path */
  constructor(resources: readonly Resource[]) {
    this.all = resources
    const taken = new Map<string, Resource>()
    for (const resource of resources) {
      const other = taken.get(patternOf(resource.path))
      if (other !== undefined) {
        throw new Error(`The resources ${other.file} and ${resource.file} have one path: ${resource.path}`)
      }
      taken.set(patternOf(resource.path), resource)
    }
    for (const resource of resources) {
      const { path } = resource
      this.#add(path, resource)
      // What is below a path and the path itself are one resource, unless another one has the path alone.
      const bare = path.replace(/\/\*$/, '')
      if (bare !== path && bare !== '' && !taken.has(patternOf(bare))) this.#add(bare, resource)
    }
  }

  /** @param path below `/services/customrest`, still encoded; undefined: no resource has it */
  find(path: string): Match | undefined {
    const found = this.#tree.find('GET', path)
    if (found === null) return undefined
    const resource = found.store as Resource
    const params = found.params as Record<string, string>
    return { resource, params: resource.path.endsWith('*') ? { '*': '', ...params } : params }
  }

  named(name: string): Resource | undefined {
    return this.all.find((resource) => resource.name === name)
  }

  #add(path: string, resource: Resource): void {
    this.#tree.on('GET', path, () => {}, resource)
  }
}
