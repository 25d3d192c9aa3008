import { Text } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { IconTable } from '@tabler/icons-react'
import { useState } from 'react'
import { useMessages } from '../messages/messages.ts'
import type { OutlineEntry } from './records.ts'
import { knowledgeMessages } from './messages.ts'

interface OutlineProps {
  entries: readonly OutlineEntry[]
  /** Pages of the document; null without pages. */
  pages: number | null
  /** The offset of the entry whose text is shown. */
  current?: number | undefined
  /** Shows the text of an entry. Without it, the entries are not interactive. */
  onShow?: (entry: OutlineEntry) => void
}

/** The structure that was found in a document: headings, tables and pages. Closed at first on a narrow screen. */
export function Outline({ entries, pages, current, onShow }: OutlineProps) {
  const { outline: words } = useMessages(knowledgeMessages)
  const isWide = useMediaQuery('(min-width: 62em)', undefined, { getInitialValueInEffect: false })
  const [isOpen, setOpen] = useState(isWide && onShow !== undefined)
  const counted = (kind: OutlineEntry['kind']): number => entries.filter((entry) => entry.kind === kind).length
  const depths = depthsOf(entries)
  const found = [pages !== null && words.pages(pages), words.headings(counted('heading')), words.tables(counted('table'))]
  return (
    <details className="outline" open={isOpen} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>{words.title}</summary>
      <Text size="xs" c="dimmed">
        {found.filter((part) => part !== false).join(', ')}
      </Text>
      {entries.length > 0 && (
        <nav aria-label={words.title}>
          <ol className="outline-entries">
            {entries.map((entry, index) => (
              <li key={`${entry.kind} ${entry.start}`}>
                <Entry entry={entry} depth={depths[index] ?? 1} isCurrent={entry.start === current} onShow={onShow} />
              </li>
            ))}
          </ol>
        </nav>
      )}
    </details>
  )
}

/** Returns the indent of each entry, from 1: a table is below its heading, a page is outside of them. */
function depthsOf(entries: readonly OutlineEntry[]): number[] {
  let heading = 0
  return entries.map(({ kind, level }) => {
    if (kind === 'page') return 1
    if (kind === 'table') return heading + 1
    heading = level ?? 1
    return heading
  })
}

interface EntryProps {
  entry: OutlineEntry
  depth: number
  isCurrent: boolean
  onShow: OutlineProps['onShow']
}

function Entry({ entry, depth, isCurrent, onShow }: EntryProps) {
  const { outline: words, source } = useMessages(knowledgeMessages)
  const { kind, title, rows, page } = entry
  const detail = rows !== null ? words.rows(rows) : kind === 'heading' && page !== null ? source.page(page, page) : ''
  const content = (
    <>
      {kind === 'table' && <IconTable size={14} aria-label={words.table} role="img" />}
      <span className="outline-title">{kind === 'page' ? words.page(page ?? 0) : title || words.table}</span>
      {detail !== '' && <span className="outline-detail">{detail}</span>}
    </>
  )
  const shared = { className: `outline-entry ${kind}`, style: { '--outline-level': depth } as React.CSSProperties }
  if (onShow === undefined) return <div {...shared}>{content}</div>
  return (
    <button type="button" {...shared} aria-current={isCurrent ? 'location' : undefined} onClick={() => onShow(entry)}>
      {content}
    </button>
  )
}
