import type { BlockContent, DefinitionContent, List, ListItem, PhrasingContent, RootContent, Table } from 'mdast'
import { fromMarkdown } from 'mdast-util-from-markdown'
import { gfmFromMarkdown } from 'mdast-util-gfm'
import { gfm } from 'micromark-extension-gfm'
import { textOf } from './decode.ts'
import type { Draft, ExtractInput, Part } from './draft.ts'
import { htmlParts } from './html-parts.ts'
import { markdownTable } from './table.ts'

/** Markdown (CommonMark with GitHub's additions): structure becomes blocks, marks inside a line are left out. */
export function extractMarkdown({ bytes, contentType }: ExtractInput): Draft {
  const source = textOf(bytes, contentType)
    .replace(/\r\n?/g, '\n')
    .replace(/^\uFEFF/, '')
  const matter = /^---[^\S\n]*\n([\s\S]*?)\n(?:---|\.\.\.)[^\S\n]*(?:\n|$)/.exec(source)
  const tree = fromMarkdown(source.slice(matter?.[0].length ?? 0), { extensions: [gfm()], mdastExtensions: [gfmFromMarkdown()] })
  return { parts: tree.children.flatMap(partsOf), title: titleOf(matter?.[1] ?? '') }
}

function titleOf(matter: string): string | null {
  return /^title:[^\S\n]*(["']?)(.+?)\1[^\S\n]*$/m.exec(matter)?.[2] ?? null
}

function partsOf(node: RootContent): Part[] {
  switch (node.type) {
    case 'heading':
      return [{ kind: 'heading', level: node.depth, text: inline(node.children) }]
    case 'paragraph':
      return [{ kind: 'paragraph', text: inline(node.children) }]
    case 'list':
      return [{ kind: 'list', text: listLines(node, '').join('\n') }]
    case 'table':
      return [{ kind: 'table', text: tableText(node) }]
    case 'code':
      return [{ kind: 'code', text: node.value }]
    case 'html':
      return htmlParts(node.value)
    case 'blockquote':
    case 'footnoteDefinition':
      return node.children.flatMap(partsOf)
    default:
      return []
  }
}

function listLines(list: List, indent: string): string[] {
  return list.children.flatMap((item, at) => {
    const marker = list.ordered ? `${(list.start ?? 1) + at}.` : '-'
    return itemLines(item, `${indent}${marker} `, `${indent}  `)
  })
}

function itemLines(item: ListItem, first: string, rest: string): string[] {
  const lines = item.children.flatMap((child) =>
    child.type === 'list' ? listLines(child, rest) : blockLines(child).map((line) => rest + line),
  )
  const [opening, ...others] = lines
  return opening === undefined ? [] : [opening.startsWith(rest) ? first + opening.slice(rest.length) : opening, ...others]
}

function blockLines(node: BlockContent | DefinitionContent): string[] {
  return partsOf(node).flatMap(({ text }) => text.split('\n').filter((line) => line.trim()))
}

function tableText(table: Table): string {
  return markdownTable(table.children.map((row) => row.children.map(({ children }) => inline(children))))
}

function inline(nodes: readonly PhrasingContent[]): string {
  return nodes.map(inlineText).join('')
}

function inlineText(node: PhrasingContent): string {
  switch (node.type) {
    case 'text':
    case 'inlineCode':
      return node.value
    case 'break':
      return '\n'
    case 'html':
      return /^<br\b/i.test(node.value) ? '\n' : ''
    case 'image':
    case 'imageReference':
      return node.alt ?? ''
    case 'footnoteReference':
      return ''
    default:
      return 'children' in node ? inline(node.children) : ''
  }
}
