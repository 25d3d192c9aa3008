import './read-text.css'
import { Text, type TextProps } from '@mantine/core'
import { useMemo, type ReactNode } from 'react'
import { sharedMessages } from '../messages/shared.ts'
import { useMessages } from '../messages/messages.ts'
import { partsOf, type TextPart } from '../lib/text-tables.ts'

interface ReadTextProps extends Pick<TextProps, 'c'> {
  /** Extracted text, whose tables are in Markdown. */
  text: string
  /** Renders a piece of text, for example with highlights. */
  children?: (text: string) => ReactNode
}

/** Shows extracted text with its tables as tables. */
export function ReadText({ text, children: render = (piece) => piece, ...props }: ReadTextProps) {
  const parts = useMemo(() => partsOf(text), [text])
  return parts.map((part, index) =>
    part.kind === 'table' ? (
      <ReadTable key={index} table={part} render={render} />
    ) : (
      <Text key={index} size="sm" className="read-text" {...props}>
        {render(part.text)}
      </Text>
    ),
  )
}

function ReadTable({ table: { header, rows }, render }: { table: TextPart & { kind: 'table' }; render: (text: string) => ReactNode }) {
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
                <td key={column}>{render(cell)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
