import { Button, Group, MultiSelect, NativeSelect, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { actorChoicesQuery } from '../../lib/choices.ts'
import { useWorkspace } from '../../lib/workspace.ts'
import { DayInput } from '../../shell/filter-inputs.tsx'
import { FilterPanel } from '../../shell/list/filter-panel.tsx'
import { useMessages } from '../../messages/messages.ts'
import type { AuditFilter } from './filter.ts'
import { auditActions, auditMessages } from './messages.ts'

interface AuditFiltersProps {
  filter: AuditFilter
  set: (part: AuditFilter) => void
  reset: () => void
}

export function AuditFilters({ filter, set, reset }: AuditFiltersProps) {
  const messages = useMessages(auditMessages)
  const { data: { members, tokens } = { members: [], tokens: [] } } = useQuery(actorChoicesQuery(useWorkspace()))
  const actors = [
    ...members.map(({ id, name }) => ({ value: id, label: name })),
    ...tokens.map(({ id, name }) => ({ value: id, label: messages.token(name) })),
  ]
  const known = filter.actor === undefined || actors.some(({ value }) => value === filter.actor)
  const active = Object.values(filter).filter((part) => part !== undefined).length
  return (
    <FilterPanel active={active} isInline>
      <Group align="flex-end" gap="sm" role="group" aria-label={messages.filters}>
        <MultiSelect
          label={messages.activity}
          placeholder={filter.actions === undefined ? messages.anyActivity : ''}
          data={auditActions.map((action) => ({ value: action, label: messages.actions[action] }))}
          value={filter.actions ?? []}
          onChange={(chosen) => set({ actions: auditActions.filter((action) => chosen.includes(action)) })}
          searchable
          clearable
          miw={220}
          flex={1}
        />
        <NativeSelect
          label={messages.actor}
          // The names come later, and may be long.
          w={200}
          value={filter.actor ?? ''}
          onChange={(event) => set({ actor: event.currentTarget.value === '' ? undefined : event.currentTarget.value })}
          data={[
            { value: '', label: messages.anyActor },
            ...actors,
            ...(known ? [] : [{ value: filter.actor ?? '', label: filter.actor ?? '' }]),
          ]}
        />
        <TargetField key={filter.target ?? ''} target={filter.target} set={set} />
        <DayInput label={messages.from} value={filter.from} onChange={(from) => set({ from })} />
        <DayInput label={messages.to} value={filter.to} onChange={(to) => set({ to })} />
        {active > 0 && (
          <Button variant="subtle" onClick={reset}>
            {messages.reset}
          </Button>
        )}
      </Group>
    </FilterPanel>
  )
}

const typingMs = 400
const idForm = /^(?:[a-z]{2,3}_)?[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** Applies the filter only once a complete id is typed. */
function TargetField({ target, set }: { target: string | undefined; set: AuditFiltersProps['set'] }) {
  const messages = useMessages(auditMessages)
  const [text, setText] = useState(target ?? '')
  useEffect(() => {
    const typed = text.trim()
    if (typed === (target ?? '') || (typed !== '' && !idForm.test(typed))) return undefined
    const timer = setTimeout(() => set({ target: typed === '' ? undefined : typed }), typingMs)
    return () => clearTimeout(timer)
  }, [text, target, set])
  return (
    <TextInput
      label={messages.target}
      placeholder={messages.targetPlaceholder}
      value={text}
      onChange={(event) => setText(event.currentTarget.value)}
      spellCheck={false}
    />
  )
}
