import { Readability } from '@mozilla/readability'
import { parseHTML } from 'linkedom'

/** The part of the DOM that is used here; the server is compiled without the browser's types. */
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

const maxDepth = 256
/** Comments, scripts and styles, whose content is no markup. */
const withoutMarkup = /<!--[\s\S]*?-->|<(script|style)\b[\s\S]*?<\/\1\s*>/gi
const tags = /<!--[\s\S]*?-->|<(script|style)\b[\s\S]*?<\/\1\s*>|<(\/?)([a-z][\w-]*)\b[^>]*>/gi
// Elements without an end tag, or with an optional one: counting them would make every old page look deep.
const withoutEnd = new Set(
  'area base br col embed hr img input link meta param source track wbr html head body p li dt dd td th tr thead tbody tfoot colgroup option optgroup rp rt'.split(
    ' ',
  ),
)

/** Parses a page or a fragment as a DOM of at most `maxDepth` nested elements, since code that walks it recurses. */
export function parseHtml(html: string): HtmlDocument {
  return asDocument(parseHTML(capDepth(withBody(html))).document)
}

/**
 * Returns the main content, by Readability, which modifies the document.
 * @param charThreshold Readability repeats its extraction with looser rules if it finds fewer characters; its default is 500
 */
export function readArticle(document: HtmlDocument, charThreshold: number): { root: HtmlElement; title: string | null } | null {
  const article = new Readability<HtmlElement>(asForeign(document), { serializer: asElement, charThreshold }).parse()
  return article?.content ? { root: article.content, title: article.title ?? null } : null
}

export function isElement(node: HtmlNode): node is HtmlElement {
  return node.nodeType === 1
}

/**
 * Adds the elements html, head and body if the page omits their optional tags. linkedom does not insert them, and takes a page whose
 * body does not follow its head for empty, so elements between the two move into the body.
 */
function withBody(html: string): string {
  const markup = html.replace(withoutMarkup, (raw) => ' '.repeat(raw.length))
  const body = /<(?:body|frameset)(?:\s[^>]*)?>/i.exec(markup)
  const before = body === null ? html : html.slice(0, body.index)
  const rest = body === null ? '' : html.slice(body.index + body[0].length)
  const bodyTag = body?.[0] ?? '<body>'
  const opening = markup.slice(0, before.length)
  const head = /<head(?:\s[^>]*)?>/i.exec(opening)
  const headEnd = /<\/head\s*>/i.exec(opening)
  const root = /<html(?:\s[^>]*)?>/i.exec(opening)?.[0] ?? '<html>'
  const start = `<!doctype html>${root}`
  if (head !== null && headEnd !== null) {
    const at = headEnd.index + headEnd[0].length
    return start + before.slice(head.index, at) + bodyTag + before.slice(at) + rest
  }
  if (head !== null && body !== null) return `${start}${before.slice(head.index)}</head>${bodyTag}${rest}`
  return start + bodyTag + before.replace(root, '').replace(/<!doctype[^>]*>/i, '') + rest
}

/** Removes tags that nest deeper than `maxDepth` by a scan: the parser takes seconds on tens of thousands of levels. */
function capDepth(html: string): string {
  let depth = 0
  let droppedUntil = -1
  return html.replace(tags, (tag: string, _raw: string | undefined, slash: string | undefined, name: string | undefined, at: number) => {
    if (name === undefined || tag.endsWith('/>') || withoutEnd.has(name.toLowerCase())) return tag
    const tooDeep = slash ? depth > 0 && depth-- > maxDepth : ++depth > maxDepth
    if (!tooDeep) return tag
    const adjoins = at === droppedUntil
    droppedUntil = at + tag.length
    return adjoins ? '' : ' '
  })
}

/** linkedom's document is a DOM document; its declared types need the browser's, which are not available here. */
function asDocument(document: unknown): HtmlDocument {
  return document as HtmlDocument
}

/** Converts back, for Readability's parameter. */
function asForeign(document: HtmlDocument): never {
  return document as never
}

/** Readability returns the element that contains the article. */
function asElement(node: unknown): HtmlElement {
  return node as HtmlElement
}
