import { makeFileName } from '../../definitions/formats/definition-name.ts'
import {
  type ChildTypeName,
  COMPONENT_TYPES,
  type ComponentTypeName,
  getChildType,
} from './component-types.ts'
import { type Content, writeXml } from './write-xml.ts'

/** A part of another component, such as a field: a file of its own in source format, an element in metadata format. */
export interface ChildComponent {
  readonly type: ChildTypeName
  /** `Job__c.Hours__c` */
  readonly fullName: string
  readonly content: Content
}

/** A part of an org's definitions as every format has it. */
export interface Component {
  readonly type: ComponentTypeName
  /** `Job__c` */
  readonly fullName: string
  /** Undefined if there is nothing but the children: nothing is said of a standard object itself. */
  readonly content: Content | undefined
  readonly children: readonly ChildComponent[]
}

/** `Hours__c` of `Job__c.Hours__c` */
export const nameOfChild = ({ fullName }: ChildComponent): string => fullName.slice(fullName.indexOf('.') + 1)

/** The element of a child, in whatever file it stands. */
export const childContent = (child: ChildComponent): Content => ({
  fullName: nameOfChild(child),
  ...child.content,
})

/** Where a component is in metadata format: `objects/Job__c.object`. */
export function pathOfComponent({ type, fullName }: Component): string {
  const { folder, suffix } = COMPONENT_TYPES[type]
  return `${folder}/${makeFileName(fullName)}.${suffix}`
}

/** The name of the outermost element of its file. Settings are the only type whose files begin with another name. */
export const makeRootName = ({ type, fullName }: Component): string =>
  type === 'Settings' ? `${fullName}Settings` : type

/** The content of a component with some of its children inside. */
export function withChildren({ content }: Component, children: readonly ChildComponent[]): Content {
  const elements = Object.groupBy(children, (child) => getChildType(child.type).element)
  const parts = Object.entries(elements).map(([name, inside]) => [name, inside!.map(childContent)] as const)
  return { ...content, ...Object.fromEntries(parts) }
}

/** Writes the file of a component with some of its children inside. */
export const writeComponent = (
  component: Component,
  children: readonly ChildComponent[],
): Generator<void, string> => writeXml(makeRootName(component), withChildren(component, children))
