import './read-text.css'
import { Mark, Text, VisuallyHidden, type TextProps } from '@mantine/core'
import { useMemo, type ReactNode } from 'react'
import { sharedMessages } from '../messages/shared.ts'
import { useMessages } from '../messages/messages.ts'
import { isRow, partsOf, readableLine, type ListItem, type TextPart } from '../lib/text-parts.ts'

interface ReadTextProps extends Pick<TextProps, 'c'> {
  /** Extracted text, whose tables are in Markdown. */
  text: string
  /** The offsets of a sentence or table row of the text to mark, and its label for screen readers. */
  marked?: { start: number; end: number; label: string } | undefined
  /** Renders a piece of text, for example with emphasized words. */
  children?: (text: string) => ReactNode
}

/** Shows extracted text with its code, tables and lists as such. */
export function ReadText({ text, marked, children: render = (piece) => piece, ...props }: ReadTextProps) {
  const parts = useMemo(() => partsOf(text), [text])
  return parts.map((part, index) => {
    const within = marked === undefined || marked.end <= part.start || marked.start >= part.end ? undefined : marked
    const line = within && { text: text.slice(within.start, within.end), label: within.label }
    if (part.kind === 'table') return <ReadTable key={index} table={part} render={render} marked={line} />
    if (part.kind === 'list') return <ReadList key={index} items={part.items} render={render} marked={line} {...props} />
    const from = Math.max(0, (within?.start ?? 0) - part.start)
    const to = Math.min(part.text.length, (within?.end ?? 0) - part.start)
    const isCode = part.kind === 'code'
    return (
      <Text
        key={index}
        size="sm"
        {...(isCode ? { component: 'pre', className: 'read-code', dir: 'ltr' } : { className: 'read-text' })}
        {...props}
      >
        {within === undefined ? (
          render(part.text)
        ) : (
          <MarkedPart text={part.text} from={from} to={to} label={within.label} render={render} />
        )}
      </Text>
    )
  })
}

interface PieceProps {
  marked: { text: string; label: string } | undefined
  render: (text: string) => ReactNode
}

interface MarkedPartProps {
  text: string
  from: number
  to: number
  label: string
  render: (text: string) => ReactNode
}

function MarkedPart({ text, from, to, label, render }: MarkedPartProps) {
  return (
    <>
      {render(text.slice(0, from))}
      <VisuallyHidden>{label}: </VisuallyHidden>
      <Mark>{render(text.slice(from, to))}</Mark>
      {render(text.slice(to))}
    </>
  )
}

function MarkedText({ text, marked, render }: PieceProps & { text: string }) {
  const at = marked === undefined || marked.text === '' ? -1 : text.indexOf(marked.text)
  if (marked === undefined || at === -1) return render(text)
  return <MarkedPart text={text} from={at} to={at + marked.text.length} label={marked.label} render={render} />
}

/** Keeps the markers of the text, because a passage can begin in the middle of a numbered list. */
function ReadList({ items, render, marked, ...props }: PieceProps & { items: readonly ListItem[] } & Pick<TextProps, 'c'>) {
  const inItem = marked && { ...marked, text: readableLine(marked.text) }
  return (
    <Text component="ul" size="sm" className="read-list" {...props}>
      {items.map(({ level, marker, text }, index) => (
        <li key={index} data-marker={marker} style={{ marginInlineStart: `${level * 1.25}rem` }}>
          <MarkedText text={text} marked={inItem} render={render} />
        </li>
      ))}
    </Text>
  )
}

function ReadTable({ table: { header, rows }, render, marked }: PieceProps & { table: TextPart & { kind: 'table' } }) {
  const messages = useMessages(sharedMessages)
  return (
    <div className="read-table" role="region" aria-label={header.length > 0 ? header.join(', ') : messages.table} tabIndex={0}>
      <table>
        {header.length > 0 && (
          <thead>
            <tr>
              {header.map((cell, column) => (
                <th key={column} scope="col">
                  {render(cell)}
                </th>
              ))}
            </tr>
          </thead>
        )}
        <tbody>
          {rows.map((row, index) => (
            <tr key={index}>
              {row.map((cell, column) => (
                <td key={column}>
                  {marked !== undefined && isRow(marked.text, row) ? (
                    <MarkedText text={cell} marked={{ text: cell, label: marked.label }} render={render} />
                  ) : (
                    render(cell)
                  )}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
