import { Parser } from 'htmlparser2'

export interface XmlElement {
  readonly name: string
  readonly children: readonly XmlElement[]
  /** Text directly within the element. */
  readonly text: string
}

/** Parses an answer of the service. Entities that a document defines are not resolved. Returns the elements of the top level. */
export function parseXml(text: string): readonly XmlElement[] {
  interface Open {
    name: string
    children: Open[]
    text: string
  }
  const document: Open = { name: '', children: [], text: '' }
  const open = [document]
  const parser = new Parser(
    {
      onopentag(name) {
        const element: Open = { name, children: [], text: '' }
        open.at(-1)?.children.push(element)
        open.push(element)
      },
      ontext(part) {
        const element = open.at(-1)
        if (element !== undefined) element.text += part
      },
      onclosetag: () => void open.pop(),
    },
    { xmlMode: true },
  )
  parser.end(text)
  return document.children
}

/** Returns the children with this name of the element at the top level. */
export const elementsOf = (text: string, name: string): readonly XmlElement[] =>
  parseXml(text)
    .flatMap(({ children }) => children)
    .filter((element) => element.name === name)

/** Returns the text of the first child with this name; empty if there is none. */
export const textOf = ({ children }: Pick<XmlElement, 'children'>, name: string): string =>
  children.find((element) => element.name === name)?.text ?? ''

/** Returns the text of the first child with this name of the element at the top level. */
export const topText = (text: string, name: string): string => elementsOf(text, name)[0]?.text ?? ''
