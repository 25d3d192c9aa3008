import type { HtmlDocument } from './html-dom.ts'
import { isMarkedTitle, isTitle } from './title.ts'

/**
 * Returns the title of a page: the declared one, without the name of the site if a first-level heading, or Readability, has the
 * title without it.
 */
export function htmlTitle(page: HtmlDocument, readable?: string | null): string | null {
  const declared =
    plain(page.querySelector('meta[property="og:title"]')?.getAttribute('content')) || plain(page.querySelector('title')?.textContent)
  const headings = [...page.querySelectorAll('h1')].map(({ textContent }) => plain(textContent)).filter(isMarkedTitle)
  if (!isTitle(declared)) return headings.find(isTitle) ?? [declared, ...headings].find(isMarkedTitle) ?? null
  // Readability often has the declared title as it is.
  const others = plain(readable) === declared ? headings : [...headings, plain(readable)]
  const shorter = others.filter((title) => isMarkedTitle(title) && startsWith(declared, title))
  return shorter.toSorted((a, b) => b.length - a.length)[0] ?? declared
}

function plain(text: string | null | undefined): string {
  return (text ?? '').replace(/\s+/g, ' ').trim()
}

/** Returns whether a title is a heading, followed by nothing or by a separator and the name of the site. */
function startsWith(title: string, heading: string): boolean {
  return title.toLowerCase().startsWith(heading.toLowerCase()) && /^(?:$|\s*[|·•:»—–-])/.test(title.slice(heading.length))
}
