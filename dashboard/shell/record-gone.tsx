import { NotFoundError } from '@groundwork/sdk'
import { Alert, Anchor, Button, Group, Stack } from '@mantine/core'
import type { Scope } from '@groundwork/api'
import { IconTrash } from '@tabler/icons-react'
import { Link, useRouterState } from '@tanstack/react-router'
import { createContext, use, type ReactNode } from 'react'
import { ShownError } from '../lib/errors.ts'
import { useMay } from '../lib/workspace.ts'
import { goneMessages } from '../messages/gone.ts'
import { useMessages } from '../messages/messages.ts'
import { CopyButton } from './copy-button.tsx'
import { toLink, type Crumb } from './page-link.ts'

interface Gone {
  /** A button that brings the record back, if there is a way. */
  restore?: ReactNode
}

const GoneContext = createContext<Gone | undefined>(undefined)

/** Returns what is known about the deletion of the page’s record, or undefined while the record exists. */
export const useGone = (): Gone | undefined => use(GoneContext)

/** Returns whether the user may change the record of the page, which nobody can after it was deleted. */
export const useMayEdit = (scope: Scope): boolean => {
  const may = useMay(scope)
  return use(GoneContext) === undefined && may
}

interface RecordPageProps extends Gone {
  /** The query of the record, whose data stays after the record was deleted. */
  query: { data: unknown; error: Error | null }
  children: ReactNode
}

/** Wraps the page of a record. After the record was deleted elsewhere, the page says so, and its forms cannot be sent. */
export function RecordPage({ query, restore, children }: RecordPageProps) {
  // The user who deletes the record is on the way to its list.
  const isLeaving = useRouterState({ select: ({ isLoading }) => isLoading })
  const isGone = query.data !== undefined && isNotFound(query.error) && !isLeaving
  return <GoneContext value={isGone ? { restore } : undefined}>{children}</GoneContext>
}

/** Returns whether a request failed because its record does not exist, rather than one that a field of the form names. */
export const isNotFound = (error: unknown, fields: readonly string[] = []): boolean => {
  if (error instanceof ShownError) return isNotFound(error.cause, fields)
  return error instanceof NotFoundError && !fields.includes(error.field ?? '')
}

/** Says that the record of the page was deleted, and leads on. */
export function GoneNotice({ gone, list }: { gone: Gone; list: Crumb | undefined }) {
  const messages = useMessages(goneMessages)
  return (
    <Alert color="yellow" role="alert" icon={<IconTrash aria-hidden />} title={messages.title}>
      <Stack gap="xs" align="flex-start">
        {messages.help}
        <Group gap="sm">
          {gone.restore}
          {list !== undefined && (
            <Anchor size="sm" py="xs" renderRoot={(props) => <Link {...props} {...toLink(list.to, list.params)} />}>
              {messages.backTo(list.label)}
            </Anchor>
          )}
        </Group>
      </Stack>
    </Alert>
  )
}

/** Takes the place of the buttons of a form whose record was deleted. @param onClose closes the dialog of the form */
export function GoneForm({ form, onClose }: { form: () => HTMLFormElement | null; onClose?: (() => void) | undefined }) {
  const messages = useMessages(goneMessages)
  return (
    <Alert color="yellow" role="alert" title={messages.title}>
      <Stack gap="xs">
        {messages.formHelp}
        <Group gap="xs">
          <CopyButton value={() => textOf(form())} name={messages.copyTyped} label={messages.copyTyped} />
          {onClose && (
            <Button variant="default" onClick={onClose}>
              {messages.close}
            </Button>
          )}
        </Group>
      </Stack>
    </Alert>
  )
}

const isText = (element: Element): element is HTMLInputElement | HTMLTextAreaElement =>
  element instanceof HTMLTextAreaElement ||
  (element instanceof HTMLInputElement && !['checkbox', 'radio', 'hidden', 'password', 'file'].includes(element.type))

/** Returns the labels and values of the filled fields of a form, one a line. */
function textOf(form: HTMLFormElement | null): string {
  const lines = [...(form?.elements ?? [])].filter(isText).map((field) => {
    const label = field.labels?.[0]?.firstChild?.textContent ?? field.getAttribute('aria-label') ?? ''
    const pills = [...(field.closest('.mantine-PillGroup-group')?.querySelectorAll('.mantine-Pill-label') ?? [])]
    const value = [...pills.map(({ textContent }) => textContent), field.value].filter((text) => text !== '').join(', ')
    return value === '' ? '' : `${label}: ${value}`
  })
  return lines.filter((line) => line !== '').join('\n')
}
