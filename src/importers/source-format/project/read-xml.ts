import { MetadataElement } from './metadata-element.ts'
import { parseXml } from './parse-xml.ts'
import { removeBuildTokens, type SourceFile } from './source-file.ts'

/**
 * Reads the outermost element of a file, of which nothing was read yet. Takes pauses while it parses the file.
 * @throws Error with the problem and its location
 */
export function* readXml({ path, text, root }: SourceFile): Generator<void, MetadataElement> {
  return new MetadataElement(root ?? (yield* parseXml(path, removeBuildTokens(text))))
}
