import FindMyWay from 'find-my-way'
import type { Resource } from './resources/resource.ts'

interface Match {
  readonly resource: Resource
  /** The `:names` of the path; what stands for `*` is under that name. */
  readonly params: Readonly<Record<string, string>>
}

/** A path without parameter names. Two paths with the same pattern match the same URLs. */
const makePattern = (path: string) => path.replaceAll(/:\w+/g, ':')

/**
 * The custom resources of a deployment by path. The most specific path wins, case matters, and a longer URL matches
 * only a path with `/*`. (docs/reference/api/custom-resources.md#paths)
 */
export class ResourceTable {
  readonly all: readonly Resource[]
  readonly #tree = FindMyWay({ ignoreTrailingSlash: true, maxParamLength: Number.MAX_SAFE_INTEGER })

  /** @throws Error when two resources have one path */
  constructor(resources: readonly Resource[]) {
    this.all = resources
    const taken = new Map<string, Resource>()
    for (const resource of resources) {
      const other = taken.get(makePattern(resource.path))
      if (other !== undefined) {
        throw new Error(`The resources ${other.file} and ${resource.file} have one path: ${resource.path}`)
      }
      taken.set(makePattern(resource.path), resource)
    }
    for (const resource of resources) {
      const { path } = resource
      this.#add(path, resource)
      // A path with `/*` also matches the path itself, unless another resource has that path.
      const bare = path.replace(/\/\*$/, '')
      if (bare !== path && bare !== '' && !taken.has(makePattern(bare))) this.#add(bare, resource)
    }
  }

  /** @param path below `/services/customrest`, still encoded */
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
