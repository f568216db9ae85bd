import { XML_START } from '../../xml/write-xml.ts'
import { XSI_URI } from '../../xml/xml-element.ts'

const URI = 'http://www.force.com/2009/06/asyncapi/dataload'

/** The beginning of a document of version 1, up to the content of its outermost element. */
export const openRoot = (name: string): string =>
  `${XML_START}<${name} xmlns="${URI}" xmlns:xsi="${XSI_URI}">`
