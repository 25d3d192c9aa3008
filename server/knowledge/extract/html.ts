import { textOf } from './decode.ts'
import type { Draft, ExtractInput, Part } from './draft.ts'
import { isElement, parseHtml, readArticle, type HtmlDocument, type HtmlElement } from './html-dom.ts'
import { partsOf } from './html-parts.ts'
import { htmlTitle } from './html-title.ts'

const furniture =
  'nav, header nav, footer, aside, [role=navigation], [role=banner], [role=contentinfo], [role=search], [role=complementary]'

const shortPage = 500

/**
 * Extracts a page: its main content by Readability, or the page without navigation if Readability would lose much of it
 * (documentation, wikis, short pages, tables).
 */
export function extractHtml({ bytes, contentType }: ExtractInput): Draft {
  const html = textOf(bytes, contentType)
  const page = parseHtml(html)
  const declared = { language: page.documentElement.getAttribute('lang') }
  const whole = partsOf(mainOf(page))
  if (lengthOf(whole) < shortPage) return { ...declared, title: htmlTitle(page), parts: whole }
  const readable = parseHtml(html)
  unwrapHeadings(readable)
  const article = readArticle(readable)
  const parts = article ? partsOf(article.root) : []
  const chosen = losesMuch(parts, whole) ? whole : parts
  return { ...declared, title: htmlTitle(page, article?.title), parts: chosen }
}

/**
 * Returns whether Readability lost much of the page. It should leave out menus, teasers and comments, so only running text,
 * tables and code count. Of a news page among teasers it keeps a third; of documentation and wikis nine tenths, unless it
 * missed the content.
 */
function losesMuch(article: readonly Part[], whole: readonly Part[]): boolean {
  const content = substance(whole)
  return content < 500 ? lengthOf(article) < 0.5 * lengthOf(whole) : substance(article) < 0.35 * content
}

function substance(parts: readonly Part[]): number {
  return lengthOf(parts.filter(({ kind, text }) => kind === 'table' || kind === 'code' || (kind === 'paragraph' && text.length > 80)))
}

function lengthOf(parts: readonly Part[]): number {
  return parts.reduce((sum, { text }) => sum + text.length, 0)
}

function mainOf(page: HtmlDocument): HtmlElement {
  const mains = [...page.querySelectorAll('main, [role=main]')]
  const root = mains.length === 1 && mains[0] ? mains[0] : page.body
  for (const element of root.querySelectorAll(furniture)) element.remove()
  return root
}

/** Wikis wrap each heading in an element, which Readability would remove. */
function unwrapHeadings(page: HtmlDocument): void {
  for (const heading of page.querySelectorAll('h1, h2, h3, h4, h5, h6')) {
    const wrapper = heading.parentNode
    if (wrapper?.localName !== 'div') continue
    const others = [...wrapper.childNodes].filter((node) => node !== heading && isElement(node) && node.localName !== 'span')
    if (others.length === 0) wrapper.replaceWith(heading)
  }
}
