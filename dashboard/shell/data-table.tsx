import '@mantine/core/styles/Table.css'
import './data-table.css'
import { Box, Group, Paper, Table, Text, UnstyledButton, VisuallyHidden } from '@mantine/core'
import { IconArrowDown, IconArrowUp } from '@tabler/icons-react'
import { memo, useEffect, useRef, useState, type ReactNode, type RefCallback, type RefObject } from 'react'
import { currentDensity } from '../lib/density.ts'
import { sharedMessages } from '../messages/shared.ts'
import { useMessages } from '../messages/messages.ts'
import { VirtualList } from './virtual-list.tsx'
import { MoreButton } from './more-button.tsx'
import { useIsNarrow } from './narrow.ts'
import { useVirtualRows } from './virtual-rows.ts'

export interface Column<T> {
  key: string
  header: string
  cell: (row: T) => ReactNode
  align?: 'right'
  /** In pixels. By default, as wide as the content. */
  width?: number
  /** Takes the rest of the width. Its content is cut, not wrapped. */
  grows?: boolean
  /** Makes the header a button that sorts the rows. */
  sort?: ColumnSort
}

interface ColumnSort {
  /** The present order of the rows by this column. */
  order: 'ascending' | 'descending' | undefined
  onSort: () => void
}

export interface DataTableProps<T> {
  /** The accessible name of the table. */
  label: string
  /** The first column identifies the row: it links to the record, and is the heading of its card on a phone. */
  columns: readonly Column<T>[]
  rows: readonly T[]
  idOf: (row: T) => string
  nameOf: (row: T) => string
  /** Renders the actions of a row. */
  actions?: (row: T) => ReactNode
  selection?: Selection
  /** Renders the content of a card on a phone. By default, the columns below each other. */
  card?: (row: T) => ReactNode
  /** An infinite query. A button loads its next page. */
  more?: More
  /** Loads the next page automatically on scrolling. */
  endless?: boolean
}

interface More {
  hasNextPage: boolean
  isFetchingNextPage: boolean
  isFetchNextPageError: boolean
  fetchNextPage: () => unknown
}

interface Selection {
  selected: ReadonlySet<string>
  onChange: (selected: ReadonlySet<string>) => void
}

/** A virtualized table for any number of rows. On a phone, it becomes a list of cards. */
export function DataTable<T>(props: DataTableProps<T>) {
  const narrow = useIsNarrow()
  const { more, endless, rows } = props
  const end = useNearEnd(more !== undefined && endless === true && isReady(more) ? more.fetchNextPage : undefined, rows.length)
  return (
    <Box>
      {narrow ? <Cards {...props} /> : <WideTable {...props} />}
      {more?.hasNextPage && (
        <Group justify="center" mt="md" ref={end}>
          <MoreButton query={more} />
        </Group>
      )}
    </Box>
  )
}

/** After a failure, only the button retries. */
const isReady = ({ isFetchingNextPage, isFetchNextPageError }: More): boolean => !isFetchingNextPage && !isFetchNextPageError

/** About half a page of rows, so that the next page is loaded before the user reaches the end. */
const preloadPixels = 2_500

/** Returns a ref. Calls `onNear` while its element is near the viewport. @param rowCount restarts the observation when it changes */
function useNearEnd(onNear: (() => unknown) | undefined, rowCount: number): RefObject<HTMLDivElement | null> {
  const element = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (element.current === null || onNear === undefined) return undefined
    const observer = new IntersectionObserver((entries) => void (entries.some(({ isIntersecting }) => isIntersecting) && onNear()), {
      rootMargin: `${preloadPixels}px`,
    })
    observer.observe(element.current)
    return () => observer.disconnect()
  }, [onNear, rowCount])
  return element
}

/** An estimate, until the rows are measured. */
const rowHeight = { comfortable: 53, compact: 37 }

function WideTable<T>(table: DataTableProps<T>) {
  const { label, columns, rows, idOf, actions, selection } = table
  const messages = useMessages(sharedMessages)
  const { container, items, before, after, measure } = useVirtualRows(rows.length, rowHeight[currentDensity()], undefined)
  const { viewport, scrolls } = useScrolls()
  const span = columns.length + (actions ? 1 : 0) + (selection ? 1 : 0)
  return (
    <Table.ScrollContainer
      minWidth={600}
      scrollAreaProps={{ viewportRef: viewport, viewportProps: scrolls ? { tabIndex: 0, role: 'group', 'aria-label': label } : {} }}
    >
      <Table verticalSpacing="sm" highlightOnHover aria-label={label} aria-rowcount={rows.length + 1}>
        <Table.Thead>
          <Table.Tr>
            {selection && (
              <Table.Th w={44}>
                <SelectAll ids={rows.map(idOf)} {...selection} />
              </Table.Th>
            )}
            {columns.map(({ key, header, align, width, sort }) => (
              <Table.Th
                key={key}
                ta={align}
                w={width}
                miw={width}
                className="one-line"
                {...(sort?.order !== undefined && { 'aria-sort': sort.order })}
              >
                {sort === undefined ? header : <SortButton header={header} {...sort} />}
              </Table.Th>
            ))}
            {actions && (
              <Table.Th w={56}>
                <VisuallyHidden>{messages.actions}</VisuallyHidden>
              </Table.Th>
            )}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody ref={(body) => void (container.current = body)}>
          <Spacer height={before} span={span} />
          {items.map(({ index }) => {
            const row = rows[index]
            return (
              row !== undefined && (
                <MemoizedRow key={idOf(row)} row={row} index={index} table={table as DataTableProps<unknown>} measure={measure} />
              )
            )
          })}
          <Spacer height={after} span={span} />
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  )
}

/** Returns whether an element scrolls sideways. The keyboard can scroll it only if it can have the focus. */
function useScrolls(): { viewport: RefObject<HTMLDivElement | null>; scrolls: boolean } {
  const viewport = useRef<HTMLDivElement>(null)
  const [scrolls, setScrolls] = useState(false)
  useEffect(() => {
    const element = viewport.current
    if (element === null) return undefined
    const observer = new ResizeObserver(() => setScrolls(element.scrollWidth > element.clientWidth))
    for (const each of [element, ...element.children]) observer.observe(each)
    return () => observer.disconnect()
  }, [])
  return { viewport, scrolls }
}

function SortButton({ header, order, onSort }: ColumnSort & { header: string }) {
  return (
    <UnstyledButton className="sort-button" fz="inherit" fw="inherit" onClick={onSort}>
      {header}
      {order === 'ascending' && <IconArrowUp size={14} aria-hidden />}
      {order === 'descending' && <IconArrowDown size={14} aria-hidden />}
    </UnstyledButton>
  )
}

interface RowProps<T> {
  row: T
  index: number
  table: DataTableProps<T>
  measure: RefCallback<HTMLElement>
}

/** Uses plain elements instead of Mantine components, because fast scrolling creates dozens of rows per frame. */
function Row<T>({ row, index, table: { columns, idOf, nameOf, actions, selection }, measure }: RowProps<T>) {
  return (
    <tr className="data-row" data-index={index} aria-rowindex={index + 2} ref={measure}>
      {selection && (
        <td>
          <Select id={idOf(row)} name={nameOf(row)} {...selection} />
        </td>
      )}
      {columns.map(({ key, cell, align, grows }) => (
        <td key={key} className={grows === true ? 'grows' : align === 'right' ? 'one-line' : 'wrap'} align={align}>
          {cell(row)}
        </td>
      ))}
      {actions && <td align="right">{actions(row)}</td>}
    </tr>
  )
}

/** Scrolling adds and removes rows. Rows that stay are not rendered again. */
const MemoizedRow = memo(Row)

function Spacer({ height, span }: { height: number; span: number }) {
  return (
    height > 0 && (
      <tr aria-hidden>
        <td colSpan={span} style={{ height, padding: 0 }} />
      </tr>
    )
  )
}

const cardHeight = 140
const smallCardHeight = 84

function Cards<T>({ label, columns, rows, idOf, nameOf, actions, selection, card }: DataTableProps<T>) {
  const [heading, ...others] = columns
  return (
    <VirtualList label={label} rows={rows} idOf={idOf} rowHeight={card === undefined ? cardHeight : smallCardHeight}>
      {(row) => (
        <Paper withBorder p="sm">
          <Group justify="space-between" align="flex-start" wrap="nowrap" gap="sm">
            {selection && <Select id={idOf(row)} name={nameOf(row)} {...selection} />}
            <Box flex={1} miw={0} className="wrap">
              {card === undefined ? heading?.cell(row) : card(row)}
            </Box>
            {actions?.(row)}
          </Group>
          {card === undefined && (
            <Box component="dl" m={0} mt={4}>
              {others.map(({ key, header, cell, align }) => (
                <Group key={key} justify="space-between" gap="sm" py={4} wrap="nowrap" align="flex-start">
                  <Text component="dt" size="sm" c="dimmed" flex="none">
                    {header}
                  </Text>
                  <Text component="dd" size="sm" m={0} ta="right" miw={0} className={align === 'right' ? 'one-line' : 'wrap'}>
                    {cell(row)}
                  </Text>
                </Group>
              ))}
            </Box>
          )}
        </Paper>
      )}
    </VirtualList>
  )
}

function SelectAll({ ids, selected, onChange }: Selection & { ids: readonly string[] }) {
  const messages = useMessages(sharedMessages)
  const allSelected = ids.length > 0 && ids.every((id) => selected.has(id))
  return (
    <input
      type="checkbox"
      className="select-box"
      aria-label={messages.selectAll}
      checked={allSelected}
      ref={(box) => {
        if (box !== null) box.indeterminate = !allSelected && selected.size > 0
      }}
      onChange={() => onChange(new Set(allSelected ? [] : ids))}
    />
  )
}

/** A plain element for the same reason as the row. */
function Select({ id, name, selected, onChange }: Selection & { id: string; name: string }) {
  const messages = useMessages(sharedMessages)
  return (
    <input
      type="checkbox"
      className="select-box"
      aria-label={`${messages.select}: ${name}`}
      checked={selected.has(id)}
      onChange={(event) =>
        onChange(new Set(event.currentTarget.checked ? [...selected, id] : [...selected].filter((other) => other !== id)))
      }
    />
  )
}
