import { Button, Collapse, Group, MultiSelect, Paper, TextInput } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconAdjustments, IconSearch } from '@tabler/icons-react'
import { useEffect, useRef, useState } from 'react'
import { shownAtMost, type Named } from '../lib/choices.ts'
import { draftIdOf, readDraft } from '../lib/drafts.ts'
import { fieldErrors } from '../lib/field-errors.ts'
import { useDraft } from '../shell/form.ts'
import { FormFrame } from '../shell/form-frame.tsx'
import { useMessages } from '../messages/messages.ts'
import { filterOf, type Asked } from './asked.ts'
import { askedFrom, draftOf, hasOptions, optionsSet, type Draft } from './draft.ts'
import { OptionFields } from './option-fields.tsx'
import { playgroundMessages } from './messages.ts'

interface QuestionFormProps {
  bases: readonly Named[]
  asked: Asked
  ask: (next: Record<string, unknown>) => void
  busy: boolean
  error: unknown
}

export function QuestionForm({ bases, asked, ask, busy, error }: QuestionFormProps) {
  const messages = useMessages(playgroundMessages)
  const initial = draftOf(asked)
  const draftId = draftIdOf(initial)
  const [draft, setDraft] = useState(() => readDraft(draftId, initial))
  useDraft(draftId, JSON.stringify(draft) === JSON.stringify(initial) ? undefined : draft)
  const count = optionsSet(asked)
  const [open, { toggle, open: show }] = useDisclosure(count > 0 || hasOptions(draft))
  // Going back or forward in the browser history changes the search.
  const shown = useRef(asked)
  useEffect(() => {
    if (shown.current === asked) return
    shown.current = asked
    setDraft(draftOf(asked))
  }, [asked])
  const set = <K extends keyof Draft>(name: K, value: Draft[K]): void => setDraft((before) => ({ ...before, [name]: value }))
  const errors = fieldErrors(error)
  const submit = (): void => {
    if ('error' in filterOf(draft.filter)) show()
    else if (draft.q.trim() !== '') ask(askedFrom(draft))
  }
  return (
    <Paper withBorder p="md">
      <FormFrame onSubmit={submit}>
        <Group align="flex-end" gap="sm">
          <TextInput
            flex={1}
            miw={220}
            label={messages.question}
            placeholder={messages.questionPlaceholder}
            value={draft.q}
            onChange={(event) => set('q', event.currentTarget.value)}
            maxLength={4000}
            error={errors['query']}
            autoComplete="off"
          />
          <Button type="submit" leftSection={<IconSearch size={16} aria-hidden />} loading={busy}>
            {messages.ask}
          </Button>
        </Group>
        <Group align="flex-end" gap="sm">
          <MultiSelect
            flex={1}
            miw={220}
            label={messages.bases}
            placeholder={draft.bases.length === 0 ? messages.allBases : ''}
            data={bases.map(({ id, name }) => ({ value: id, label: name }))}
            value={draft.bases}
            onChange={(ids) => set('bases', ids)}
            searchable
            limit={shownAtMost}
            clearable
          />
          <Button variant="default" leftSection={<IconAdjustments size={16} aria-hidden />} onClick={toggle} aria-expanded={open}>
            {count === 0 ? messages.options : messages.optionsSet(count)}
          </Button>
        </Group>
        <Collapse expanded={open}>
          {open && <OptionFields draft={draft} set={set} errors={errors} reset={() => ask({ q: asked.q, bases: asked.bases })} />}
        </Collapse>
      </FormFrame>
    </Paper>
  )
}
