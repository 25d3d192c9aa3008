import { Readability } from '@mozilla/readability'
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
  querySelector(selector: string): HtmlElement | null
  querySelectorAll(selector: string): Iterable<HtmlElement>
}

const deepest = 256
const tags = /<!--[\s\S]*?-->|<(script|style)\b[\s\S]*?<\/\1\s*>|<(\/?)([a-z][\w-]*)\b[^>]*>/gi
// Elements that have no end tag, or may go without: counting them would make every old page look deep.
const withoutEnd = new Set(
  'area base br col embed hr img input link meta param source track wbr html head body p li dt dd td th tr thead tbody tfoot colgroup option optgroup rp rt'.split(
    ' ',
  ),
)

/** A page, or a fragment of one, as a DOM at most `deepest` elements deep: the walks over it recurse. */
export function parseHtml(html: string): HtmlDocument {
  return asDocument(parseHTML(capDepth(withBody(html))).document)
}

/** The main content, by Readability. It takes the document apart: give it one of its own. */
export function readArticle(document: HtmlDocument): { root: HtmlElement; title: string | null } | null {
  const article = new Readability<HtmlElement>(asForeign(document), { serializer: asElement }).parse()
  return article?.content ? { root: article.content, title: article.title ?? null } : null
}

export function isElement(node: HtmlNode): node is HtmlElement {
  return node.nodeType === 1
}

/** linkedom puts in no body where the page leaves its tag out, as it may. */
function withBody(html: string): string {
  if (/<(?:body|frameset)[\s>]/i.test(html)) return html
  const opening = /<\/head\s*>/i.exec(html) ?? /<html(?:\s[^>]*)?>/i.exec(html)
  if (!opening) return `<!doctype html><html><body>${html}</body></html>`
  const at = opening.index + opening[0].length
  return `${html.slice(0, at)}<body>${html.slice(at)}`
}

/** Drops the tags that nest deeper than `deepest`, by a scan: the parser itself takes seconds on tens of thousands of levels. */
function capDepth(html: string): string {
  let depth = 0
  let droppedUntil = -1
  return html.replace(tags, (tag: string, _raw: string | undefined, slash: string | undefined, name: string | undefined, at: number) => {
    if (name === undefined || tag.endsWith('/>') || withoutEnd.has(name.toLowerCase())) return tag
    const tooDeep = slash ? depth > 0 && depth-- > deepest : ++depth > deepest
    if (!tooDeep) return tag
    const adjoins = at === droppedUntil
    droppedUntil = at + tag.length
    return adjoins ? '' : ' '
  })
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
