import '@mantine/core/styles/Chip.css'
import { proposalStates } from '@groundwork/api/proposal-states'
import { Button, Chip, Group, SimpleGrid, Stack, Text } from '@mantine/core'
import { exactTime } from '../lib/formats.ts'
import { oneOf, optionalAmount } from '../lib/search-params.ts'
import { useSearchText } from '../lib/search-text.ts'
import { useMessages } from '../messages/messages.ts'
import { viewsMessages } from '../messages/views.ts'
import { ContactPicker } from '../shell/contact-picker.tsx'
import { DecimalInput } from '../shell/decimal-input.tsx'
import { SearchInput } from '../shell/filter-inputs.tsx'
import { FilterPanel } from '../shell/list/filter-panel.tsx'
import { countOthers, withoutOthers } from './list-state.ts'
import { defaultSort, proposalSorts, type ProposalFilter } from './proposal-filter.ts'
import { proposalMessages } from './messages.ts'

interface FiltersProps {
  filter: ProposalFilter
  onChange: (changed: (filter: ProposalFilter) => ProposalFilter) => void
}

const anyStatus = 'all'
/** A large chip is easy to touch, but its text is as large as all others. */
const textSize = { '--chip-fz': 'var(--mantine-font-size-sm)' }

/** The search and the filters of the list of proposals. */
export function ProposalFilters({ filter, onChange }: FiltersProps) {
  const messages = useMessages(proposalMessages)
  const views = useMessages(viewsMessages)
  const others = countOthers(filter)
  const unnamed = countOthers({ ...filter, completedAfter: undefined })
  return (
    <Stack gap={8}>
      <FilterPanel
        active={[filter.contactId, filter.minTotal, filter.maxTotal].filter((value) => value !== undefined).length + others}
        orders={{
          labels: messages.sorts,
          value: filter.sort ?? defaultSort,
          onChange: (sort) => onChange((now) => ({ ...now, sort: oneOf(proposalSorts, sort) })),
        }}
        search={<SearchInput label={messages.search} value={filter.q} onChange={(q) => onChange((now) => ({ ...now, q }))} />}
      >
        <SimpleGrid cols={{ base: 1, sm: 3 }} spacing="sm">
          <ContactPicker
            isOptional
            label={messages.columns.contact}
            value={filter.contactId ?? ''}
            onChange={(id) => onChange((now) => ({ ...now, contactId: id === '' ? undefined : id }))}
          />
          <AmountInput
            label={messages.minTotal}
            value={filter.minTotal}
            onChange={(minTotal) => onChange((now) => ({ ...now, minTotal }))}
          />
          <AmountInput
            label={messages.maxTotal}
            value={filter.maxTotal}
            onChange={(maxTotal) => onChange((now) => ({ ...now, maxTotal }))}
          />
        </SimpleGrid>
        {others > 0 && (
          <Group gap="xs" mt="sm">
            {filter.completedAfter !== undefined && <Text size="sm">{messages.acceptedSince(exactTime(filter.completedAfter))}</Text>}
            {unnamed > 0 && <Text size="sm">{views.others(unnamed)}</Text>}
            <Button size="compact-sm" mih={32} variant="subtle" onClick={() => onChange(withoutOthers)}>
              {views.removeOthers}
            </Button>
          </Group>
        )}
      </FilterPanel>
      <Chip.Group
        value={filter.status ?? anyStatus}
        onChange={(value: string) => onChange((now) => ({ ...now, status: oneOf(proposalStates, value) }))}
      >
        <Group gap="xs" role="radiogroup" aria-label={messages.status} className="chip-line">
          <Chip value={anyStatus} size="lg" style={textSize}>
            {messages.all}
          </Chip>
          {proposalStates.map((status) => (
            <Chip key={status} value={status} size="lg" style={textSize}>
              {messages.statuses[status]}
            </Chip>
          ))}
        </Group>
      </Chip.Group>
    </Stack>
  )
}

interface AmountInputProps {
  label: string
  value: string | undefined
  onChange: (value: string | undefined) => void
}

function AmountInput({ label, value, onChange }: AmountInputProps) {
  const { invalidTotal } = useMessages(proposalMessages)
  const [text, setText] = useSearchText(value, (typed) => onChange(optionalAmount(typed)))
  const isInvalid = text !== '' && optionalAmount(text) === undefined
  return <DecimalInput label={label} value={text} onChange={setText} error={isInvalid ? invalidTotal : undefined} />
}
