import type { HtmlElement } from './html-dom.ts'

/** Class names in lower case without other signs, of edit links and of text for screen readers. */
const controlClasses = classSet(`mweditsection editlink editpage editpagelink editthispage themeeditthispage editongithub editlinkbutton
  mdcontentbutton wybreadcrumbsaside viewsource showsource
  sronly sronlyfocusable visuallyhidden visuallyhiddenfocusable isvisuallyhidden uvisuallyhidden screenreadertext screenreaderonly
  screenreader assistivetext accessiblyhidden elementinvisible hiddenvisually showforsr offscreen a11yhidden
  skiplink skiptocontent skiptocontentlink skipnav`)
/** The same of links beside headings. Some generators use such a class for the whole heading. */
const permalinkClasses = classSet(`headerlink hashlink headeranchor headinganchor headinglink anchorlink anchorjslink permalink
  headingpermalink tdheadingselflink docanchor docsanchor sectionanchor copylink anchor`)
const permalinkText = /^(?:[\s¶#§∞🔗⚓\u200B-\u200D\u2060\uFEFF]|\uFE0F)*$/u
const permalinkLabel =
  /^(?:permalink|permanent link|anchor|(?:direct |copy |heading self-?)?link(?: to (?:this|the) (?:heading|section|definition|paragraph|headline|code|image|table|term|equation|module|page)\b.*)?|direct link to .*|permalink (?:to|for) .*|permalink: .*)$/i
const editText =
  /^\[?\s*(?:edit|edit (?:this |the )?(?:page|section|source|article|on \w+|in \w+)(?: (?:on|in) \w+)?|(?:view|show|page|see) (?:page )?source(?: code)?|improve this (?:page|doc(?:s|ument)?)|suggest (?:an edit|edits|changes?)|fork and edit|seite bearbeiten|diese seite bearbeiten|bearbeiten|quelltext anzeigen|modifier(?: cette page)?|editar(?: esta página)?)\s*\]?$/i
const editUrl = /[/?&=](?:edit|blob|tree|raw|_sources?|src)\b|action=edit|viewcode|github\.|gitlab\.|bitbucket\./i
/** The usual styles of text for screen readers: clipped, or a pixel in size. */
const clipped = /clip\s*:\s*rect\(\s*[01](?:px)?[\s,]|clip-path\s*:\s*inset\(\s*(?:50|100)%/i
const onePixel = [/(?:^|[;\s])width\s*:\s*1px/i, /(?:^|[;\s])height\s*:\s*1px/i, /overflow\s*:\s*hidden/i]

/**
 * Removes what generators add to a page: permalinks beside headings, edit links, and text for screen readers. Call it before Readability,
 * which removes the classes.
 */
export function removePageControls(root: HtmlElement): void {
  for (const element of root.querySelectorAll('[class], [style], a')) {
    if (element.parentNode !== null && isPageControl(element)) element.remove()
  }
}

function isPageControl(element: HtmlElement): boolean {
  const style = element.getAttribute('style') ?? ''
  if (clipped.test(style) || onePixel.every((rule) => rule.test(style))) return true
  const classes = classesOf(element)
  if (classes.some((name) => controlClasses.has(name))) return true
  return element.localName === 'a' && (isPermalink(element, classes) || isEditLink(element))
}

function classesOf(element: HtmlElement): string[] {
  const names = element.getAttribute('class')?.split(/\s+/) ?? []
  return names.map((name) => name.toLowerCase().replace(/[^a-z0-9]/g, ''))
}

function isPermalink(link: HtmlElement, classes: readonly string[]): boolean {
  const text = textOf(link)
  const named = classes.some((name) => permalinkClasses.has(name))
  if (!named && !link.getAttribute('href')?.includes('#')) return false
  return permalinkText.test(text) || (permalinkLabel.test(text) && (named || isInHeading(link)))
}

function isEditLink(link: HtmlElement): boolean {
  return editText.test(textOf(link)) && editUrl.test(link.getAttribute('href') ?? '')
}

function isInHeading(element: HtmlElement): boolean {
  for (let at = element.parentNode; at; at = at.parentNode) if (/^h[1-6]$/.test(at.localName)) return true
  return false
}

function textOf(element: HtmlElement): string {
  return (element.textContent ?? '').replace(/\s+/g, ' ').trim()
}

function classSet(names: string): ReadonlySet<string> {
  return new Set(names.split(/\s+/))
}
