import { Button, Collapse, Group, SimpleGrid, Stack, TagsInput } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconAdjustmentsHorizontal } from '@tabler/icons-react'
import { DayInput, SearchInput } from '../shell/filter-inputs.tsx'
import { useMessages } from '../messages/messages.ts'
import type { ContactFilter } from './filter.ts'
import { contactMessages } from './messages.ts'

interface ContactFiltersProps {
  filter: ContactFilter
  onChange: (filter: ContactFilter) => void
  /** Suggested tags. */
  suggestedTags: string[]
}

export function ContactFilters({ filter, onChange, suggestedTags }: ContactFiltersProps) {
  const messages = useMessages(contactMessages)
  const active = [filter.tag, filter.from, filter.until].filter((value) => value !== undefined).length
  const [opened, { toggle }] = useDisclosure(active > 0)
  return (
    <Stack gap="sm" role="search">
      <Group gap="sm" wrap="nowrap">
        <SearchInput label={messages.search} value={filter.q} onChange={(q) => onChange({ ...filter, q })} />
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
        <SimpleGrid cols={{ base: 1, sm: 3 }} spacing="sm">
          <TagsInput
            label={messages.tagFilter}
            data={suggestedTags}
            value={filter.tag ?? []}
            onChange={(tag) => onChange({ ...filter, tag: tag.length === 0 ? undefined : tag })}
            maxTags={20}
          />
          <DayInput label={messages.createdFrom} value={filter.from} onChange={(from) => onChange({ ...filter, from })} />
          <DayInput label={messages.createdUntil} value={filter.until} onChange={(until) => onChange({ ...filter, until })} />
        </SimpleGrid>
      </Collapse>
    </Stack>
  )
}
