import MarkdownIt from 'markdown-it'
import { posix } from 'node:path'

/** The text below a heading, for the search. */
export interface Section {
  /** Id of the heading; empty before the first one. */
  readonly id: string
  readonly heading: string
  readonly text: string
}

export interface RenderedGuide {
  readonly title: string
  readonly html: string
  readonly sections: readonly Section[]
}

const parser = new MarkdownIt({ html: false, linkify: false })

/** Tables and code can be wider than the page: both scroll, also with the keyboard. */
parser.renderer.rules['table_open'] = () => '<div class="scroll" tabindex="0" role="group" aria-label="Table"><table>\n'
parser.renderer.rules['table_close'] = () => '</table></div>\n'
parser.renderer.rules['fence'] = (tokens, index) => `<pre tabindex="0"><code>${escapeHtml(tokens[index]?.content ?? '')}</code></pre>\n`

export const escapeHtml = (text: string): string => parser.utils.escapeHtml(text)

/**
 * Renders a guide. Links to other guides lead to their pages, and those to other files of the repository become plain text.
 * @param path of the file in the repository
 * @param slugs of all guides, by path
 */
export function renderGuide(markdown: string, path: string, slugs: ReadonlyMap<string, string>): RenderedGuide {
  const tokens = parser.parse(markdown.replace(/^<!--.*-->\n/gm, ''), {})
  const sections: Section[] = []
  const idOf = uniqueIds()
  let title = ''
  let current = { id: '', heading: '', text: '' }
  for (const [index, token] of tokens.entries()) {
    // A header cell without text is no header.
    if (token.type === 'th_open' && tokens[index + 1]?.content === '')
      for (const cell of [token, tokens[index + 2]]) if (cell) cell.tag = 'td'
    if (token.type === 'heading_open') {
      const heading = textOf(tokens[index + 1])
      const id = idOf(heading)
      token.attrSet('id', id)
      if (token.tag === 'h1') title = heading
      sections.push(current)
      current = { id: token.tag === 'h1' ? '' : id, heading, text: '' }
    } else if (token.type === 'inline') {
      if (tokens[index - 1]?.type !== 'heading_open') current.text += `${textOf(token)}\n`
      resolveLinks(token, path, slugs)
    } else if (token.type === 'fence') current.text += token.content
  }
  sections.push(current)
  return { title, html: parser.renderer.render(tokens, parser.options, {}), sections: sections.filter(({ heading }) => heading !== '') }
}

type Token = ReturnType<MarkdownIt['parse']>[number]

const textOf = (token: Token | undefined): string =>
  (token?.children ?? []).map(({ type, content }) => (type === 'softbreak' ? ' ' : content)).join('')

/** Returns ids as GitHub derives them, so that the links of the Markdown files work. */
function uniqueIds(): (heading: string) => string {
  const used = new Map<string, number>()
  return (heading) => {
    const id = heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(' ', '-')
    const count = used.get(id) ?? 0
    used.set(id, count + 1)
    return count === 0 ? id : `${id}-${count}`
  }
}

function resolveLinks({ children }: Token, path: string, slugs: ReadonlyMap<string, string>): void {
  const open: Token[] = []
  for (const token of children ?? []) {
    if (token.type === 'link_open') {
      const href = hrefOf(token.attrGet('href') ?? '', path, slugs)
      // A tag without meaning in place of a link: its content stays.
      if (href === null) token.tag = 'span'
      token.attrs = href === null ? [] : [['href', href], ...(href.startsWith('http') ? [['rel', 'noreferrer'] as [string, string]] : [])]
      open.push(token)
    } else if (token.type === 'link_close') token.tag = open.pop()?.tag ?? 'a'
    else if (token.type === 'image') token.attrSet('src', `/${posix.join(posix.dirname(path), String(token.attrGet('src')))}`)
  }
}

/** Returns the URL of a link in the file; null if the program does not serve its target. */
function hrefOf(href: string, path: string, slugs: ReadonlyMap<string, string>): string | null {
  if (/^(?:https?:\/\/|mailto:|#)/.test(href)) return href
  const [target = '', fragment] = href.split('#', 2)
  const slug = slugs.get(posix.join(posix.dirname(path), target))
  if (slug === undefined) return null
  return `/docs${slug && '/'}${slug}${fragment === undefined ? '' : `#${fragment}`}`
}
