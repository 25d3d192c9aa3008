import { Readability } from '@mozilla/readability'
import { Parser } from 'htmlparser2'
import { parseHTML } from 'linkedom'

/** What is used of the DOM; the server is compiled without the browser's types. */
export interface HtmlNode {
  readonly nodeType: number
  readonly childNodes: Iterable<HtmlNode>
  readonly textContent: string | null
}
export interface HtmlElement extends HtmlNode {
  readonly localName: string
  readonly parentNode: HtmlElement | null
  getAttribute(name: string): string | null
  querySelector(selector: string): HtmlElement | null
  querySelectorAll(selector: string): Iterable<HtmlElement>
  replaceWith(...nodes: HtmlNode[]): void
  remove(): void
}
export interface HtmlDocument {
  readonly documentElement: HtmlElement
  readonly body: HtmlElement
  readonly title: string
  querySelector(selector: string): HtmlElement | null
  querySelectorAll(selector: string): Iterable<HtmlElement>
}

const deepest = 256

/** A page, or a fragment of one, as a DOM at most `deepest` elements deep: the walks over it recurse. */
export function parseHtml(html: string): HtmlDocument {
  const whole = /<(html|body)[\s>]/i.test(html) ? html : `<!doctype html><html><body>${html}</body></html>`
  return asDocument(parseHTML(depthOf(whole) > deepest ? flatten(whole) : whole).document)
}

/** The main content, by Readability. It takes the document apart: give it one of its own. */
export function readArticle(document: HtmlDocument): { root: HtmlElement; title: string | null } | null {
  const article = new Readability<HtmlElement>(asForeign(document), { serializer: asElement }).parse()
  return article?.content ? { root: article.content, title: article.title ?? null } : null
}

export function isElement(node: HtmlNode): node is HtmlElement {
  return node.nodeType === 1
}

function depthOf(html: string): number {
  let depth = 0
  let most = 0
  const parser = new Parser({
    onopentagname: () => void (most = Math.max(most, ++depth)),
    onclosetag: () => void depth--,
  })
  parser.end(html)
  return most
}

function flatten(html: string): string {
  const out: string[] = []
  let depth = 0
  const parser = new Parser(
    {
      onopentag(name, attributes) {
        if (++depth > deepest) return
        const pairs = Object.entries(attributes).map(([key, value]) => ` ${key}="${value.replaceAll('"', '&quot;')}"`)
        out.push(`<${name}${pairs.join('')}>`)
      },
      ontext: (text) => void out.push(text),
      onclosetag(name) {
        if (depth-- <= deepest) out.push(`</${name}>`)
      },
    },
    { decodeEntities: false },
  )
  parser.end(html)
  return out.join('')
}

/** linkedom's document is a DOM document; its declared types need the browser's, which are absent here. */
function asDocument(document: unknown): HtmlDocument {
  return document as HtmlDocument
}

/** The reverse, for Readability's parameter. */
function asForeign(document: HtmlDocument): never {
  return document as never
}

/** Readability hands over the element that it has put the article into. */
function asElement(node: unknown): HtmlElement {
  return node as HtmlElement
}
