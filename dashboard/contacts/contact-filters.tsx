import { Button, Collapse, Group, Select, SimpleGrid, Stack, TagsInput, Text } from '@mantine/core'
import { useDisclosure, useMediaQuery } from '@mantine/hooks'
import { IconAdjustmentsHorizontal } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { actorChoicesQuery } from '../lib/choices.ts'
import { useWorkspace } from '../lib/workspace.ts'
import { DayInput, SearchInput } from '../shell/filter-inputs.tsx'
import { useMessages } from '../messages/messages.ts'
import type { ListState } from './list/search.ts'
import { countFilters } from './list/state.ts'
import { listMessages } from './list/messages.ts'
import { contactMessages } from './messages.ts'

interface ContactFiltersProps {
  state: ListState
  onChange: (state: ListState) => void
  /** Suggested tags. */
  suggestedTags: string[]
}

export function ContactFilters({ state, onChange, suggestedTags }: ContactFiltersProps) {
  const messages = useMessages(contactMessages)
  const words = useMessages(listMessages)
  const { data: actors } = useQuery(actorChoicesQuery(useWorkspace()))
  const active = countFilters(state)
  // On a phone, the filters would hide the contacts.
  const isNarrow = useMediaQuery('(max-width: 48em)', undefined, { getInitialValueInEffect: false })
  const [opened, { toggle }] = useDisclosure(active > 0 && !isNarrow)
  return (
    <Stack gap="sm" role="search">
      <Group gap="sm" wrap="nowrap">
        <SearchInput label={messages.search} value={state.q} onChange={(q) => onChange({ ...state, q })} />
        <Button
          variant="default"
          leftSection={<IconAdjustmentsHorizontal size={16} aria-hidden />}
          onClick={toggle}
          aria-expanded={opened}
          aria-controls="contact-filters"
          aria-label={active === 0 ? messages.filters : messages.filtersActive(active)}
        >
          {active === 0 ? messages.filters : `${messages.filters} (${active})`}
        </Button>
      </Group>
      <Collapse expanded={opened} id="contact-filters">
        <SimpleGrid cols={{ base: 1, sm: 2, lg: 4 }} spacing="sm">
          <TagsInput
            label={messages.tagFilter}
            data={suggestedTags}
            value={state.tag ?? []}
            onChange={(tag) => onChange({ ...state, tag: tag.length === 0 ? undefined : tag })}
            maxTags={20}
          />
          <Select
            label={words.owner}
            data={(actors?.members ?? []).map(({ id, name }) => ({ value: id, label: name }))}
            value={state.owner ?? null}
            onChange={(owner) => onChange({ ...state, owner: owner ?? undefined })}
            searchable
            clearable
          />
          <DayInput label={messages.createdFrom} value={state.from} onChange={(from) => onChange({ ...state, from })} />
          <DayInput label={messages.createdUntil} value={state.until} onChange={(until) => onChange({ ...state, until })} />
        </SimpleGrid>
        {state.others !== undefined && (
          <Group gap="xs" mt="sm">
            <Text size="sm">{words.others(state.others.length)}</Text>
            <Button size="compact-sm" mih={32} variant="subtle" onClick={() => onChange({ ...state, others: undefined })}>
              {words.removeOthers}
            </Button>
          </Group>
        )}
      </Collapse>
    </Stack>
  )
}
