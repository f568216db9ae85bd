import { findChild, type XmlElement } from '../../xml/xml-element.ts'
import type { SoapRequest } from '../read-request.ts'

/** Reads the elements of a call by their names, all of which are in the namespace of the API. */
export interface ElementReader {
  text(name: string): string | undefined
  texts(name: string): string[]
  isTrue(name: string): boolean
  child(name: string): ElementReader | undefined
  children(name: string): ElementReader[]
}

export function readElement(request: Pick<SoapRequest, 'api'>, element: XmlElement): ElementReader {
  const { uri } = request.api
  const all = (name: string) => element.children.filter((one) => one.uri === uri && one.name === name)
  const text = (name: string) => findChild(element, uri, name)?.text.trim()
  return {
    text,
    texts: (name) => all(name).map((one) => one.text.trim()),
    isTrue: (name) => ['true', '1'].includes(text(name) ?? ''),
    child: (name) => all(name).map((one) => readElement(request, one))[0],
    children: (name) => all(name).map((one) => readElement(request, one)),
  }
}
