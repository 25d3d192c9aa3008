import { textOf } from './decode.ts'
import type { Draft, ExtractInput, Part } from './draft.ts'
import { isElement, parseHtml, readArticle, type HtmlDocument, type HtmlElement } from './html-dom.ts'
import { removeMarks } from './html-marks.ts'
import { partsOf } from './html-parts.ts'
import { htmlTitle } from './html-title.ts'

const furniture =
  'nav, header nav, footer, aside, [role=navigation], [role=banner], [role=contentinfo], [role=search], [role=complementary]'

/** Weight of the text of a page that is too short for a choice of its main content, see `weightOf`. */
const shortPage = 500
const longParagraph = 80

/**
 * Extracts a page: its main content by Readability, or the page without navigation if Readability would lose much of it
 * (documentation, wikis, short pages, tables).
 */
export function extractHtml({ bytes, contentType }: ExtractInput): Draft {
  const html = textOf(bytes, contentType)
  const page = cleanPage(html)
  const declared = { language: page.documentElement.getAttribute('lang') }
  const whole = partsOf(mainOf(page))
  if (lengthOf(whole) < shortPage) return { ...declared, title: htmlTitle(page), parts: whole }
  const readable = cleanPage(html)
  unwrapHeadings(readable)
  const article = readArticle(readable, Math.ceil(shortPage * densityOf(whole)))
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
  return content < shortPage ? lengthOf(article) < 0.5 * lengthOf(whole) : substance(article) < 0.35 * content
}

function substance(parts: readonly Part[]): number {
  return lengthOf(
    parts.filter(({ kind, text }) => kind === 'table' || kind === 'code' || (kind === 'paragraph' && weightOf(text) > longParagraph)),
  )
}

function lengthOf(parts: readonly Part[]): number {
  return parts.reduce((sum, { text }) => sum + weightOf(text), 0)
}

/** Length of English with the same content: translations into Chinese have 0.3 to 0.4 of its characters, into Japanese and Korean 0.4 to 0.5. */
const eastAsianWeight = 2.5

/** Returns the length of a text, with East Asian characters counted as several. */
function weightOf(text: string): number {
  const eastAsian = text.match(/[\u3041-\u30FF\uAC00-\uD7A3\p{Script=Han}]/gu)?.length ?? 0
  return text.length + (eastAsianWeight - 1) * eastAsian
}

/** Returns characters per weight, 0.4 to 1. */
function densityOf(parts: readonly Part[]): number {
  const characters = parts.reduce((sum, { text }) => sum + text.length, 0)
  return characters === 0 ? 1 : characters / lengthOf(parts)
}

function cleanPage(html: string): HtmlDocument {
  const page = parseHtml(html)
  removeMarks(page.documentElement)
  return page
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
