import { Button, Group, Select, SimpleGrid, TagsInput, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { actorChoicesQuery } from '../lib/choices.ts'
import { useWorkspace } from '../lib/workspace.ts'
import { DayInput, SearchInput } from '../shell/filter-inputs.tsx'
import { FilterPanel } from '../shell/list/filter-panel.tsx'
import { useMessages } from '../messages/messages.ts'
import { viewsMessages } from '../messages/views.ts'
import { FieldFilters } from './list/field-filters.tsx'
import type { ListState } from './list/search.ts'
import { countFilters } from './list/state.ts'
import { listMessages } from './list/messages.ts'
import { contactMessages } from './messages.ts'

interface ContactFiltersProps {
  state: ListState
  onChange: (changed: (state: ListState) => ListState) => void
  /** Suggested tags. */
  suggestedTags: string[]
  /** Further controls in the same line. */
  children: ReactNode
}

export function ContactFilters({ state, onChange, suggestedTags, children }: ContactFiltersProps) {
  const messages = useMessages(contactMessages)
  const words = useMessages(listMessages)
  const views = useMessages(viewsMessages)
  const { data: actors } = useQuery(actorChoicesQuery(useWorkspace()))
  return (
    <FilterPanel
      active={countFilters(state)}
      search={<SearchInput label={messages.search} value={state.q} onChange={(q) => onChange((now) => ({ ...now, q }))} />}
      aside={children}
    >
      <SimpleGrid cols={{ base: 1, sm: 2, lg: 4 }} spacing="sm">
        <TagsInput
          label={messages.tagFilter}
          data={suggestedTags}
          value={state.tag ?? []}
          onChange={(tag) => onChange((now) => ({ ...now, tag: tag.length === 0 ? undefined : tag }))}
          maxTags={20}
        />
        <Select
          label={words.owner}
          data={(actors?.members ?? []).map(({ id, name }) => ({ value: id, label: name }))}
          value={state.owner ?? null}
          onChange={(owner) => onChange((now) => ({ ...now, owner: owner ?? undefined }))}
          searchable
          clearable
        />
        <DayInput label={messages.createdFrom} value={state.from} onChange={(from) => onChange((now) => ({ ...now, from }))} />
        <DayInput label={messages.createdUntil} value={state.until} onChange={(until) => onChange((now) => ({ ...now, until }))} />
        <FieldFilters is={state.is ?? {}} onChange={(changed) => onChange((now) => withFields(now, changed(now.is ?? {})))} />
      </SimpleGrid>
      {state.others !== undefined && (
        <Group gap="xs" mt="sm">
          <Text size="sm">{views.others(state.others.length)}</Text>
          <Button size="compact-sm" mih={32} variant="subtle" onClick={() => onChange((now) => ({ ...now, others: undefined }))}>
            {views.removeOthers}
          </Button>
        </Group>
      )}
    </FilterPanel>
  )
}

const withFields = (state: ListState, is: NonNullable<ListState['is']>): ListState => ({
  ...state,
  is: Object.keys(is).length === 0 ? undefined : is,
})
