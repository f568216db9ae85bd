import { parseXml } from './parse-xml.ts'
import { removeBuildTokens, type SourceFile } from './source-file.ts'
import { XmlElement } from './xml-element.ts'

/**
 * Reads the outermost element of a file, of which nothing was read yet. Takes pauses while it parses the file.
 * @throws Error with the problem and its location
 */
export function* readXml({ path, text, root }: SourceFile): Generator<void, XmlElement> {
  return new XmlElement(root ?? (yield* parseXml(path, removeBuildTokens(text))))
}
