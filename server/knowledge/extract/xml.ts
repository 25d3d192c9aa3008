import { Parser } from 'htmlparser2'
import { SourceError } from '../../lib/errors.ts'

/** An element without its namespaces: names and attributes are local. */
export interface XmlElement {
  readonly name: string
  readonly attributes: Readonly<Record<string, string>>
  readonly children: readonly (XmlElement | string)[]
}

const limits = { depth: 512, nodes: 4_000_000 }

/**
 * Parses XML as a tree. Only XML's five entities and numeric references are resolved, so a document type definition can neither
 * read a file nor expand; other references stay as text. Lenient with mismatched tags.
 * @throws SourceError too_large, corrupt_file
 */
export function parseXml(text: string): XmlElement {
  const root = { name: '', attributes: {}, children: [] as (XmlElement | string)[] }
  const open = [root]
  let nodes = 0
  const add = (node: XmlElement | string): void => {
    if (++nodes > limits.nodes) throw new SourceError('too_large', 'The file has more XML elements than are read.')
    open.at(-1)?.children.push(node)
  }
  const parser = new Parser(
    {
      onopentag(name, attributes) {
        const element = { name: local(name), attributes: localKeys(attributes), children: [] }
        add(element)
        open.push(element)
        if (open.length > limits.depth) throw new SourceError('corrupt_file', 'The XML in the file nests too deep.')
      },
      ontext: add,
      onclosetag: () => void (open.length > 1 && open.pop()),
    },
    { xmlMode: true, decodeEntities: true },
  )
  parser.write(text)
  parser.end()
  return root
}

export function isElement(node: XmlElement | string): node is XmlElement {
  return typeof node !== 'string'
}

/** Returns the children of this name. */
export function all(element: XmlElement | undefined, name: string): XmlElement[] {
  return (element?.children ?? []).filter(isElement).filter((child) => child.name === name)
}

/** Returns the first element on this path of names. */
export function at(element: XmlElement | undefined, ...path: readonly string[]): XmlElement | undefined {
  return path.reduce<XmlElement | undefined>((from, name) => all(from, name)[0], element)
}

/** Returns every descendant of this name in document order, without those inside another result. */
export function find(element: XmlElement | undefined, name: string): XmlElement[] {
  return (element?.children ?? []).filter(isElement).flatMap((child) => (child.name === name ? [child] : find(child, name)))
}

/** Returns the text directly in an element, without that of its children. */
export function ownText(element: XmlElement): string {
  return element.children
    .flatMap((child) => (isElement(child) ? [] : [child]))
    .join('')
    .trim()
}

/** Returns all text below. */
export function textOf(element: XmlElement | undefined): string {
  return (element?.children ?? []).map((child) => (isElement(child) ? textOf(child) : child)).join('')
}

function local(name: string): string {
  return name.slice(name.indexOf(':') + 1)
}

function localKeys(attributes: Readonly<Record<string, string>>): Record<string, string> {
  const plain: Record<string, string> = {}
  // An attribute without a prefix has precedence: id="1" before r:id="rId1", which is also kept under its prefix.
  for (const [name, value] of Object.entries(attributes)) {
    plain[local(name)] ??= value
    plain[name] = value
  }
  return plain
}
