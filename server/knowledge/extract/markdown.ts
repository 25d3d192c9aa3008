import MarkdownIt from 'markdown-it'
import footnotes from 'markdown-it-footnote'
import { nested, type Node, type Token } from '../../lib/markdown-tree.ts'
import { textOf } from './decode.ts'
import type { Draft, ExtractInput, Part } from './draft.ts'
import { htmlParts } from './html-parts.ts'
import { joinTexts, linkText } from './inline.ts'
import { markdownTable } from './table.ts'

/** CommonMark with GitHub's tables and strikethrough, and footnotes, which stay in place. */
const parser = new MarkdownIt({ html: true }).use(footnotes).disable(['footnote_tail', 'footnote_inline'])

/** Extracts Markdown: structure becomes blocks, inline markup is removed. */
export function extractMarkdown({ bytes, contentType }: ExtractInput): Draft {
  const source = textOf(bytes, contentType)
    .replace(/\r\n?/g, '\n')
    .replace(/^\uFEFF/, '')
  const matter = /^---[^\S\n]*\n([\s\S]*?)\n(?:---|\.\.\.)[^\S\n]*(?:\n|$)/.exec(source)
  const tokens = parser.parse(source.slice(matter?.[0].length ?? 0), {})
  return { parts: nested(tokens).flatMap(partsOf), title: titleOf(matter?.[1] ?? '') }
}

function titleOf(matter: string): string | null {
  return /^title:[^\S\n]*(["']?)(.+?)\1[^\S\n]*$/m.exec(matter)?.[2] ?? null
}

function partsOf(node: Node): Part[] {
  const { token, children } = node
  switch (token.type) {
    case 'heading_open':
      return [{ kind: 'heading', level: Number(token.tag.slice(1)), text: inlineOf(node) }]
    case 'paragraph_open':
      return [{ kind: 'paragraph', text: inlineOf(node) }]
    case 'bullet_list_open':
    case 'ordered_list_open':
      return [{ kind: 'list', text: listLines(node, '').join('\n') }]
    case 'table_open':
      return [{ kind: 'table', text: markdownTable(rowsOf(node).map((row) => row.children.map(inlineOf))) }]
    case 'fence':
    case 'code_block':
      return [{ kind: 'code', text: token.content }]
    case 'html_block':
      return htmlParts(token.content)
    default:
      return children.flatMap(partsOf)
  }
}

function listLines({ token, children }: Node, indent: string): string[] {
  const start = Number(token.attrGet('start') ?? 1)
  return children.flatMap((item, at) => {
    const marker = token.type === 'ordered_list_open' ? `${start + at}.` : '-'
    return itemLines(item, `${indent}${marker} `, `${indent}  `)
  })
}

function itemLines(item: Node, first: string, rest: string): string[] {
  const lines = item.children.flatMap((child) =>
    child.token.type.endsWith('_list_open') ? listLines(child, rest) : blockLines(child).map((line) => rest + line),
  )
  const [opening, ...others] = lines
  if (opening === undefined) return []
  return [opening.startsWith(rest) ? first + opening.slice(rest.length).replace(/^\[[ xX]\] /, '') : opening, ...others]
}

function blockLines(node: Node): string[] {
  return partsOf(node).flatMap(({ text }) => text.split('\n').filter((line) => line.trim()))
}

/** Returns the rows of head and body. */
const rowsOf = (table: Node): Node[] => table.children.flatMap(({ children }) => children)

/** Returns the text of a block whose only content is lines. */
const inlineOf = ({ children }: Node): string => children.map(({ token }) => inline(token.children ?? [])).join('')

function inline(tokens: readonly Token[]): string {
  const texts: string[] = []
  const links: { start: number; target: string | null }[] = []
  for (const token of tokens) {
    if (token.type === 'link_open') links.push({ start: texts.length, target: token.attrGet('href') })
    const link = token.type === 'link_close' ? links.pop() : undefined
    texts.push(link === undefined ? inlineText(token) : linkText(joinTexts(texts.splice(link.start)), link.target))
  }
  return joinTexts(texts)
}

const struckTag = /^<\/?(?:del|s|strike)\b/i

function inlineText(token: Token): string {
  switch (token.type) {
    case 'softbreak':
    case 'hardbreak':
      return '\n'
    case 's_open':
    case 's_close':
      return '~~'
    case 'html_inline':
      if (struckTag.test(token.content)) return '~~'
      return /^<br\b/i.test(token.content) ? '\n' : ''
    case 'image':
      return inline(token.children ?? [])
    default:
      // Other markup tokens and footnote references have no content.
      return token.content
  }
}
