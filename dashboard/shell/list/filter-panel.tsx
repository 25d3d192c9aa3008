import { Button, Collapse, Group, NativeSelect, Stack } from '@mantine/core'
import { IconAdjustmentsHorizontal } from '@tabler/icons-react'
import { useId, useState, type ReactNode } from 'react'
import { listsMessages } from '../../messages/lists.ts'
import { useMessages } from '../../messages/messages.ts'
import { useIsNarrow } from '../narrow.ts'

/** The orders of a list, for phones: their cards have no headers that sort. */
interface ListOrders {
  /** Labels by the value of the order. */
  labels: Readonly<Record<string, string>>
  value: string
  onChange: (value: string) => void
}

interface FilterPanelProps {
  /** The number of filters that are set. */
  active: number
  /** The search field. */
  search?: ReactNode
  /** Whether the filters are few enough for the line of the search field, or may always be shown, on a wide screen. */
  isInline?: boolean
  /** Further controls at the end of the first line. */
  aside?: ReactNode
  orders?: ListOrders
  /** The filters. */
  children: ReactNode
}

/**
 * Filters that a button shows and hides. Until the user chooses, those that are set from the start are shown on a wide screen. On a
 * phone, they are hidden, because they would push the list away.
 */
export function FilterPanel({ active, search, isInline = false, aside, orders, children }: FilterPanelProps) {
  const messages = useMessages(listsMessages)
  const isNarrow = useIsNarrow()
  // A saved view loads after the list. Its filters stay hidden, so that the rows do not move.
  const [isActiveAtFirst] = useState(active > 0)
  const [chosen, setChosen] = useState<boolean>()
  const opened = chosen ?? (isActiveAtFirst && !isNarrow)
  const id = useId()
  // Beside further controls, the search field needs the width.
  const isShort = isNarrow && aside !== undefined
  const isLine = isInline && !isNarrow
  // The search field and the further controls have the same place in both layouts: they keep their text, focus and dialogs when a phone
  // is turned.
  return (
    <Stack gap="sm" role="search">
      <Group gap="xs" wrap={isLine ? 'wrap' : 'nowrap'}>
        {search}
        {isLine ? (
          children
        ) : (
          <Button
            variant="default"
            flex="none"
            leftSection={!isShort && <IconAdjustmentsHorizontal size={16} aria-hidden />}
            onClick={() => setChosen(!opened)}
            aria-expanded={opened}
            aria-controls={id}
            aria-label={active === 0 ? messages.filters : messages.filtersActive(active)}
          >
            {isShort ? (
              <Group component="span" gap={6}>
                <IconAdjustmentsHorizontal size={16} aria-hidden />
                {active > 0 && active}
              </Group>
            ) : active === 0 ? (
              messages.filters
            ) : (
              `${messages.filters} (${active})`
            )}
          </Button>
        )}
        {aside}
      </Group>
      {/* Drawing hidden filters would hold up the list on a phone. */}
      {!isLine && (
        <Collapse expanded={opened} id={id} keepMounted={false}>
          {/* Filters in use stay when the last one is cleared, or a tablet is turned. */}
          <Stack gap="sm" onFocus={() => setChosen(true)}>
            {children}
            {isNarrow && orders !== undefined && (
              <NativeSelect
                label={messages.sortBy}
                data={Object.entries(orders.labels).map(([value, label]) => ({ value, label }))}
                value={orders.value}
                onChange={(event) => orders.onChange(event.currentTarget.value)}
              />
            )}
          </Stack>
        </Collapse>
      )}
    </Stack>
  )
}
