import type { Part } from './draft.ts'
import type { HtmlDocument, HtmlElement } from './html-dom.ts'
import { partsOf } from './html-parts.ts'

/** The root of a site, or of one of its languages: `/`, `/de/`, `/en-gb`. */
export function isHomePage(url: string | undefined): boolean {
  return url !== undefined && URL.canParse(url) && /^\/(?:[a-z]{2}(?:-[a-z]{2})?\/?)?(?:index\.\w+)?$/i.test(new URL(url).pathname)
}

const contactSelector = 'address, a[href^="tel:" i], a[href^="mailto:" i], [itemprop=telephone], [itemprop=address]'
const maxLength = 1_500

/**
 * Returns the text of the page's footer if it has contact details: on many sites, it is the only place with the telephone number, the
 * address and the opening hours. Menus are left out. Changes the page.
 */
export function contactParts(page: HtmlDocument): Part[] {
  const footers = [...page.querySelectorAll('footer, [role=contentinfo]')].filter((footer) => !isInside(footer))
  return footers.flatMap((footer) => {
    if (footer.querySelector(contactSelector) === null) return []
    for (const menu of [...footer.querySelectorAll('nav, [role=navigation], ul, ol')].filter(isMenu)) menu.remove()
    const parts = partsOf(footer)
    return parts.reduce((sum, { text }) => sum + text.length, 0) > maxLength ? [] : parts
  })
}

/** A footer of an article or inside another footer is none of the page. */
function isInside(footer: HtmlElement): boolean {
  for (let at = footer.parentNode; at !== null; at = at.parentNode)
    if (['article', 'section', 'main', 'aside', 'blockquote', 'footer'].includes(at.localName)) return true
  return false
}

/** Returns whether an element is navigation: all items of a list are links to pages. */
function isMenu(element: HtmlElement): boolean {
  if (element.localName !== 'ul' && element.localName !== 'ol') return true
  return (
    element.querySelector(contactSelector) === null && [...element.querySelectorAll('li')].every((item) => item.querySelector('a') !== null)
  )
}
