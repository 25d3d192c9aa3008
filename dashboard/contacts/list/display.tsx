import { ActionIcon, Box, Button, Checkbox, Group, Popover, Select, Stack, Text } from '@mantine/core'
import { IconArrowDown, IconArrowUp, IconColumns3 } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { oneOf } from '../../lib/search-params.ts'
import { useMessages } from '../../messages/messages.ts'
import type { ChoosableColumn } from './columns.tsx'
import { listMessages } from './messages.ts'
import { sorts, type ListState } from './search.ts'
import { defaultSort } from './state.ts'

interface DisplayProps {
  state: ListState
  all: readonly ChoosableColumn[]
  chosen: readonly ChoosableColumn[]
  onChange: (changed: (state: ListState) => ListState) => void
}

/** The order of the contacts, and the columns in their order. */
export function Display({ state, all, chosen, onChange }: DisplayProps) {
  const messages = useMessages(listMessages)
  const names = chosen.map(({ key }) => key)
  const setColumns = (columns: string[]): void => onChange((now) => ({ ...now, columns }))
  const others = all.filter(({ key }) => !names.includes(key))
  return (
    <Popover position="bottom-end" width={300} shadow="md" trapFocus returnFocus withinPortal>
      <Popover.Target>
        <Button variant="default" flex="none" aria-label={messages.display}>
          <IconColumns3 size={16} aria-hidden />
          <Box component="span" visibleFrom="sm" ms={8}>
            {messages.display}
          </Box>
        </Button>
      </Popover.Target>
      <Popover.Dropdown aria-label={messages.display}>
        <Stack gap="sm">
          <Select
            label={messages.sort}
            data={sorts.map((value) => ({ value, label: messages.sorts[value] }))}
            value={state.q === undefined ? (state.sort ?? defaultSort) : null}
            disabled={state.q !== undefined}
            {...(state.q !== undefined && { description: messages.bestMatch })}
            allowDeselect={false}
            comboboxProps={{ withinPortal: false }}
            onChange={(value) => onChange((now) => ({ ...now, sort: oneOf(sorts, value) }))}
          />
          <Text size="sm" fw={500} id="list-columns">
            {messages.columnsTitle}
          </Text>
          <Stack gap={4} mah={260} component="ul" className="plain-list column-list" aria-labelledby="list-columns">
            {[...chosen, ...others].map(({ key, header }, index) => (
              // One list of equal items, so that a column keeps the focus when it moves.
              <Group key={key} component="li" gap={4} mih={28} wrap="nowrap" justify="space-between">
                <Checkbox
                  label={header}
                  checked={index < chosen.length}
                  disabled={key === 'name'}
                  onChange={() => setColumns(index < chosen.length ? names.filter((name) => name !== key) : [...names, key])}
                />
                {index > 0 && index < chosen.length && (
                  <Group gap={0} wrap="nowrap">
                    <Move label={messages.up(header)} isDisabled={index === 1} onMove={() => setColumns(moved(names, index, -1))}>
                      <IconArrowUp size={14} aria-hidden />
                    </Move>
                    <Move
                      label={messages.down(header)}
                      isDisabled={index === chosen.length - 1}
                      onMove={() => setColumns(moved(names, index, 1))}
                    >
                      <IconArrowDown size={14} aria-hidden />
                    </Move>
                  </Group>
                )}
              </Group>
            ))}
          </Stack>
        </Stack>
      </Popover.Dropdown>
    </Popover>
  )
}

function Move({ label, isDisabled, onMove, children }: { label: string; isDisabled: boolean; onMove: () => void; children: ReactNode }) {
  return (
    <ActionIcon
      variant="subtle"
      color="gray"
      size={28}
      aria-label={label}
      data-disabled={isDisabled}
      aria-disabled={isDisabled}
      onClick={() => !isDisabled && onMove()}
    >
      {children}
    </ActionIcon>
  )
}

function moved(names: readonly string[], index: number, step: number): string[] {
  const name = names[index]
  return name === undefined ? [...names] : names.toSpliced(index, 1).toSpliced(index + step, 0, name)
}
