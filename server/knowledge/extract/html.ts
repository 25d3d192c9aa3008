import { textOf } from './decode.ts'
import type { Draft, ExtractInput, Part } from './draft.ts'
import { isElement, parseHtml, readArticle, type HtmlDocument, type HtmlElement } from './html-dom.ts'
import { removePageControls } from './html-page-controls.ts'
import { partsOf } from './html-parts.ts'
import { htmlTitle } from './html-title.ts'
import { contactParts, isHomePage } from './home-page.ts'

const navigationSelector =
  'nav, header nav, footer, aside, [role=navigation], [role=banner], [role=contentinfo], [role=search], [role=complementary]'

/** Pages below this weight are kept whole; see `weightOf`. Readability repeats its extraction with looser rules if it finds less. */
const shortPage = 500
const longParagraph = 80

/**
 * Extracts a page: its main content by Readability, or the page without navigation if Readability would lose much of it
 * (documentation, wikis, short pages, tables). The home page of a site keeps the contact details of its footer.
 */
export function extractHtml({ bytes, contentType, url }: ExtractInput): Draft {
  const html = textOf(bytes, contentType)
  const { parts, ...draft } = mainContent(html)
  return { ...draft, parts: isHomePage(url) ? [...parts, ...contactParts(cleanPage(html))] : parts }
}

function mainContent(html: string): Draft {
  const page = cleanPage(html)
  const declared = { language: page.documentElement.getAttribute('lang') }
  const whole = partsOf(takeMain(page))
  if (lengthOf(whole) < shortPage) return { ...declared, title: htmlTitle(page), parts: whole }
  const readable = cleanPage(html)
  unwrapHeadings(readable)
  const article = readArticle(readable, Math.ceil(shortPage * densityOf(whole)))
  const parts = article ? partsOf(article.root) : []
  const chosen = losesMuch(parts, whole) ? whole : parts
  return { ...declared, title: htmlTitle(page, article?.title), parts: chosen }
}

/**
 * Returns true if Readability dropped too much. It should drop menus, teasers and comments, so this compares only long paragraphs, tables
 * and code: true if less than 35 % of their weight is left. If the page has less than `shortPage` of these, this compares all text: true
 * if less than half is left.
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

/**
 * One East Asian character counts as 2.5, because a translation into Chinese needs 0.3 to 0.4 of the characters of the English text
 * (Japanese, Korean: 0.4 to 0.5).
 */
const eastAsianWeight = 2.5

/** Returns the number of characters, with `eastAsianWeight` for each East Asian character. */
function weightOf(text: string): number {
  const eastAsian = text.match(/[\u3041-\u30FF\uAC00-\uD7A3\p{Script=Han}]/gu)?.length ?? 0
  return text.length + (eastAsianWeight - 1) * eastAsian
}

/** Returns characters per unit of weight: 1 without East Asian text, 0.4 with nothing else. */
function densityOf(parts: readonly Part[]): number {
  const characters = parts.reduce((sum, { text }) => sum + text.length, 0)
  return characters === 0 ? 1 : characters / lengthOf(parts)
}

function cleanPage(html: string): HtmlDocument {
  const page = parseHtml(html)
  removePageControls(page.documentElement)
  return page
}

/** Returns the only main element, or the body, after removing navigation from it. Changes the page. */
function takeMain(page: HtmlDocument): HtmlElement {
  const mains = [...page.querySelectorAll('main, [role=main]')]
  const root = mains.length === 1 && mains[0] ? mains[0] : page.body
  for (const element of root.querySelectorAll(navigationSelector)) element.remove()
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
