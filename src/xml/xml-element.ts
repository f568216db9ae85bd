/** The namespace of `xsi:nil` and `xsi:type`. */
export const XSI_URI = 'http://www.w3.org/2001/XMLSchema-instance'

/** An element by its namespace, whatever prefix the document has for it. */
export interface XmlElement {
  /** Empty: in no namespace. */
  readonly uri: string
  /** Without a prefix. */
  readonly name: string
  readonly children: readonly XmlElement[]
  /** All text directly in it. */
  readonly text: string
  /** It says that its value is null: `xsi:nil="true"`. */
  readonly isNil: boolean
  /** Offset in the document of what is in it, behind its tag. */
  readonly at: number
}

export const findChild = ({ children }: XmlElement, uri: string, name: string): XmlElement | undefined =>
  children.find((child) => child.uri === uri && child.name === name)
