import { decodePercent } from '../../../base/url-encoding.ts'
import type { SettingsName } from '../../../definitions/formats/settings-file.ts'
import type { XmlElement } from '../../../xml/xml-element.ts'

/** Tokens that a build replaces in files before it deploys a project, by the prefix of its package. */
const TOKEN =
  /%%%(?:ALWAYS_NAMESPACE|NAMESPACED_ORG|NAMESPACED_RT|NAMESPACE|NAMESPACED_ORG_OR_C|NAMESPACE_OR_C|NAMESPACE_DOT|MANAGED_OR_NAMESPACED_ORG)%%%/g

/** The older form, which only formulas have: elsewhere it may be a part of a name. */
const OLD_TOKEN = /__NAMESPACE__/g

/** The names of files have tokens of another form. */
const PATH_TOKEN = /___(?:NAMESPACE|NAMESPACED_ORG|MANAGED_OR_NAMESPACED_ORG)___/g

/** A file as a project without a namespace has it. */
export const removeBuildTokens = (text: string): string => text.replaceAll(TOKEN, '')

/** A formula of it. */
export const removeFormulaTokens = (formula: string): string =>
  removeBuildTokens(formula).replaceAll(OLD_TOKEN, '')

/** The path of it. */
const removePathTokens = (path: string): string => path.replaceAll(PATH_TOKEN, '')

/**
 * A file of a project: its path relative to the project, with `/`, and its text. The text is empty for files that are
 * not read.
 */
export interface SourceFile {
  readonly path: string
  readonly text: string
  /** Its outermost element, where the text is parsed already. */
  readonly root?: XmlElement
}

/** Kinds of components with a file each. */
type WholeKind = 'globalValueSet' | 'standardValueSet' | 'platformEventChannel' | 'platformEventChannelMember'

/** The metadata in a file, according to its path. */
export type Part =
  | { readonly kind: 'object'; readonly object: string }
  | {
      readonly kind: 'field' | 'recordType' | 'validationRule' | 'listView' | 'record'
      readonly object: string
      readonly name: string
    }
  | { readonly kind: WholeKind; readonly name: string }
  | { readonly kind: 'permissionset' | 'profile'; readonly name: string }
  | { readonly kind: 'settings'; readonly name: SettingsName }
  | { readonly kind: 'labels' | 'label' }
  /** A file with a part of a permission set: `element` is what the set itself calls such a part. */
  | { readonly kind: 'permissionPart'; readonly name: string; readonly element: string | undefined }
  | { readonly kind: 'component'; readonly object: string; readonly folder: string }
  | { readonly kind: 'other'; readonly suffix: string }

type Read = (match: RegExpExecArray) => Part

const readMember =
  (kind: 'field' | 'recordType' | 'validationRule' | 'listView'): Read =>
  ([, object, name]) => ({ kind, object: object!, name: name! })

/** The names that a permission set has for its parts, by the endings of their own files: `classAccess`, `fieldPermission`. */
const pluralize = (suffix: string) =>
  suffix.endsWith('y') ? `${suffix.slice(0, -1)}ies` : `${suffix}${suffix.endsWith('s') ? 'es' : 's'}`

const PATTERNS: readonly (readonly [RegExp, Read])[] = [
  [/(?:^|\/)([^/]+)\.object(?:-meta\.xml)?$/, ([, object]) => ({ kind: 'object', object: object! })],
  [/(?:^|\/)([^/]+)\/fields\/([^/]+)\.field-meta\.xml$/, readMember('field')],
  [/(?:^|\/)([^/]+)\/recordTypes\/([^/]+)\.recordType-meta\.xml$/, readMember('recordType')],
  [/(?:^|\/)([^/]+)\/validationRules\/([^/]+)\.validationRule-meta\.xml$/, readMember('validationRule')],
  [/(?:^|\/)([^/]+)\/listViews\/([^/]+)\.listView-meta\.xml$/, readMember('listView')],
  [
    /(?:^|\/)([^/]+)\.(globalValueSet|standardValueSet|platformEventChannel|platformEventChannelMember)(?:-meta\.xml)?$/,
    ([, name, kind]) => ({ kind: kind as WholeKind, name: name! }),
  ],
  [
    /(?:^|\/)([^/]+)\.(permissionset|profile)(?:-meta\.xml)?$/,
    ([, name, kind]) => ({ kind: kind as 'permissionset', name: decodePercent(name!) }),
  ],
  [
    /(?:^|\/)permissionsets\/([^/]+)\/objectSettings\/[^/]+\.objectSettings-meta\.xml$/,
    ([, name]) => ({ kind: 'permissionPart', name: decodePercent(name!), element: undefined }),
  ],
  [
    /(?:^|\/)permissionsets\/([^/]+)\/(?:[^/]+\/)?[^/]+\.([A-Za-z]+)-meta\.xml$/,
    ([, name, suffix]) => ({
      kind: 'permissionPart',
      name: decodePercent(name!),
      element: pluralize(suffix!),
    }),
  ],
  [/\.label(?:-meta\.xml)?$/, () => ({ kind: 'label' })],
  [/\.labels(?:-meta\.xml)?$/, () => ({ kind: 'labels' })],
  [/(?:^|\/)Company\.settings(?:-meta\.xml)?$/, () => ({ kind: 'settings', name: 'Company' })],
  [
    /(?:^|\/)objects\/([^/]+)\/([^/]+)\/[^/]+-meta\.xml$/,
    ([, object, folder]) => ({ kind: 'component', object: object!, folder: folder! }),
  ],
  [
    /(?:^|\/)layouts\/([^/-]+)-[^/]+\.layout(?:-meta\.xml)?$/,
    ([, object]) => ({ kind: 'component', object: object!, folder: 'layouts' }),
  ],
  [
    /(?:^|\/)customMetadata\/([^/.]+)\.([^/]+)\.md(?:-meta\.xml)?$/,
    ([, type, name]) => ({ kind: 'record', object: `${type}__mdt`, name: name! }),
  ],
  [/\.([^/.]+)-meta\.xml$/, ([, suffix]) => ({ kind: 'other', suffix: suffix! })],
]

/** Undefined for a file without metadata. */
export function findPart(path: string): Part | undefined {
  for (const [pattern, read] of PATTERNS) {
    const match = pattern.exec(removePathTokens(path))
    if (match !== null) return read(match)
  }
  return undefined
}

/** True if the import reads the text of the file. */
export function isRead(path: string): boolean {
  const kind = findPart(path)?.kind
  return kind !== undefined && kind !== 'component' && kind !== 'other'
}
