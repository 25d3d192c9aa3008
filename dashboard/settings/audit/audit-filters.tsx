import { Button, Group, MultiSelect, NativeSelect, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { actorChoicesQuery } from '../../lib/choices.ts'
import { useWorkspace } from '../../lib/workspace.ts'
import { DayInput } from '../../shell/filter-inputs.tsx'
import { useWords } from '../../words/words.ts'
import type { AuditFilter } from './filter.ts'
import { auditActions, auditWords } from './words.ts'

interface AuditFiltersProps {
  filter: AuditFilter
  set: (part: AuditFilter) => void
  reset: () => void
}

export function AuditFilters({ filter, set, reset }: AuditFiltersProps) {
  const words = useWords(auditWords)
  const { data: { members, tokens } = { members: [], tokens: [] } } = useQuery(actorChoicesQuery(useWorkspace()))
  const actors = [
    ...members.map(({ id, name }) => ({ value: id, label: name })),
    ...tokens.map(({ id, name }) => ({ value: id, label: words.token(name) })),
  ]
  const known = filter.actor === undefined || actors.some(({ value }) => value === filter.actor)
  const filtered = Object.values(filter).some((part) => part !== undefined)
  return (
    <Group align="flex-end" gap="sm" role="group" aria-label={words.filters}>
      <MultiSelect
        label={words.activity}
        placeholder={filter.actions === undefined ? words.anyActivity : ''}
        data={auditActions.map((action) => ({ value: action, label: words.actions[action] }))}
        value={filter.actions ?? []}
        onChange={(chosen) => set({ actions: auditActions.filter((action) => chosen.includes(action)) })}
        searchable
        clearable
        miw={220}
        flex={1}
      />
      <NativeSelect
        label={words.actor}
        value={filter.actor ?? ''}
        onChange={(event) => set({ actor: event.currentTarget.value === '' ? undefined : event.currentTarget.value })}
        data={[
          { value: '', label: words.anyActor },
          ...actors,
          ...(known ? [] : [{ value: filter.actor ?? '', label: filter.actor ?? '' }]),
        ]}
      />
      <TargetField key={filter.target ?? ''} target={filter.target} set={set} />
      <DayInput label={words.from} value={filter.from} onChange={(from) => set({ from })} />
      <DayInput label={words.to} value={filter.to} onChange={(to) => set({ to })} />
      {filtered && (
        <Button variant="subtle" onClick={reset}>
          {words.reset}
        </Button>
      )}
    </Group>
  )
}

const typingMs = 400
const idForm = /^(?:[a-z]{2,3}_)?[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** Applies the filter only once a complete id is typed. */
function TargetField({ target, set }: { target: string | undefined; set: AuditFiltersProps['set'] }) {
  const words = useWords(auditWords)
  const [text, setText] = useState(target ?? '')
  useEffect(() => {
    const typed = text.trim()
    if (typed === (target ?? '') || (typed !== '' && !idForm.test(typed))) return undefined
    const timer = setTimeout(() => set({ target: typed === '' ? undefined : typed }), typingMs)
    return () => clearTimeout(timer)
  }, [text, target, set])
  return (
    <TextInput
      label={words.target}
      placeholder={words.targetPlaceholder}
      value={text}
      onChange={(event) => setText(event.currentTarget.value)}
      spellCheck={false}
    />
  )
}
