import type MarkdownIt from 'markdown-it'

export type Token = ReturnType<MarkdownIt['parse']>[number]

/** A block token with its children. */
export interface Node {
  readonly token: Token
  readonly children: Node[]
}

/** Converts the parser's flat list to a tree. */
export function nested(tokens: readonly Token[]): Node[] {
  const roots: Node[] = []
  const open = [roots]
  for (const token of tokens) {
    if (token.nesting < 0) {
      open.pop()
      continue
    }
    const node = { token, children: [] }
    open.at(-1)?.push(node)
    if (token.nesting > 0) open.push(node.children)
  }
  return roots
}
