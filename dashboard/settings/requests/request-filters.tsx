import { Button, Group, NativeSelect, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useSearchText } from '../../lib/search-text.ts'
import { actorChoicesQuery } from '../../lib/choices.ts'
import { useWorkspace } from '../../lib/workspace.ts'
import { DayInput } from '../../shell/filter-inputs.tsx'
import { FilterPanel } from '../../shell/list/filter-panel.tsx'
import { useMessages } from '../../messages/messages.ts'
import { callers, requestFilterOf, requestMethods, statusFilters, type RequestFilter } from './filter.ts'
import { requestMessages } from './messages.ts'

interface RequestFiltersProps {
  filter: RequestFilter
  set: (part: RequestFilter) => void
  reset: () => void
}

export function RequestFilters({ filter, set, reset }: RequestFiltersProps) {
  const messages = useMessages(requestMessages)
  const active = Object.values(filter).filter((part) => part !== undefined).length
  return (
    <FilterPanel active={active} isInline>
      <Group align="flex-end" gap="sm" role="group" aria-label={messages.filters}>
        <CallerSelect filter={filter} set={set} />
        <NativeSelect
          label={messages.status}
          value={filter.status ?? ''}
          onChange={(event) => set({ status: event.currentTarget.value || undefined })}
          data={[
            { value: '', label: messages.anyStatus },
            ...statusFilters.map((status) => ({ value: status, label: messages.statuses[status] })),
            ...(filter.status === undefined || statusFilters.some((status) => status === filter.status) ? [] : [filter.status]),
          ]}
        />
        <NativeSelect
          label={messages.method}
          value={filter.method ?? ''}
          onChange={(event) => set({ method: requestMethods.find((method) => method === event.currentTarget.value) })}
          data={[{ value: '', label: messages.anyMethod }, ...requestMethods]}
        />
        <TypedFilter name="path" filter={filter} set={set} label={messages.path} placeholder={messages.pathPlaceholder} />
        <TypedFilter name="requestId" filter={filter} set={set} label={messages.requestId} placeholder={messages.requestIdPlaceholder} />
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

/** Selects all tokens, all users or one token. */
function CallerSelect({ filter, set }: Pick<RequestFiltersProps, 'filter' | 'set'>) {
  const messages = useMessages(requestMessages)
  const { data: { tokens } = { tokens: [] } } = useQuery(actorChoicesQuery(useWorkspace()))
  const { token } = filter
  const choose = (value: string): void => {
    const caller = callers.find((each) => each === value)
    set({ caller, token: caller === undefined && value !== '' ? value : undefined })
  }
  return (
    <NativeSelect
      label={messages.caller}
      // The names of tokens come later, and may be long.
      w={200}
      value={token ?? filter.caller ?? ''}
      onChange={(event) => choose(event.currentTarget.value)}
      data={[
        { value: '', label: messages.anyCaller },
        ...callers.map((caller) => ({ value: caller, label: messages.callers[caller] })),
        ...tokens.map(({ id, name }) => ({ value: id, label: name })),
        ...(token === undefined || tokens.some(({ id }) => id === token) ? [] : [token]),
      ]}
    />
  )
}

interface TypedFilterProps extends Pick<RequestFiltersProps, 'filter' | 'set'> {
  name: 'path' | 'requestId'
  label: string
  placeholder: string
}

/** Applies the filter while the user types, and ignores incomplete values. */
function TypedFilter({ name, filter, set, label, placeholder }: TypedFilterProps) {
  const [text, setText] = useSearchText(filter[name], (value) => set({ [name]: requestFilterOf({ [name]: value })[name] }))
  return (
    <TextInput
      label={label}
      placeholder={placeholder}
      value={text}
      onChange={(event) => setText(event.currentTarget.value)}
      spellCheck={false}
      maxLength={300}
    />
  )
}
