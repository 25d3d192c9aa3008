import type { Company } from '@groundwork/api'
import { Button, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconArrowMerge } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useWorkspace } from '../lib/workspace.ts'
import { useMessages } from '../messages/messages.ts'
import { useChange } from '../shell/change.ts'
import { CompanyPicker } from '../shell/company-picker.tsx'
import { FormDialog } from '../shell/form-dialog.tsx'
import { notifyError, notifyUndoable } from '../shell/notify.tsx'
import { ShownError } from '../lib/errors.ts'
import { formErrors } from './errors.ts'
import { companyMessages } from './messages.ts'
import { companiesKey } from './queries.ts'

/** Merges the company into another one, which the user chooses. */
export function MergeCompany({ company }: { company: Company }) {
  const { merge: messages } = useMessages(companyMessages)
  const [opened, { open, close }] = useDisclosure()
  return (
    <>
      <Button variant="default" leftSection={<IconArrowMerge size={16} aria-hidden />} onClick={open}>
        {messages.action}
      </Button>
      {opened && <MergeDialog company={company} onClose={close} />}
    </>
  )
}

/** @param target the id of the company that is chosen at first */
export function MergeDialog({ company, target = null, onClose }: { company: Company; target?: string | null; onClose: () => void }) {
  const { merge: messages } = useMessages(companyMessages)
  const { client, organization } = useWorkspace()
  const navigate = useNavigate()
  const [into, setInto] = useState(target)
  const [error, setError] = useState<unknown>(null)
  const invalidates = () => [
    [organization.id, ...companiesKey],
    [organization.id, 'contacts'],
  ]
  const undo = useChange((id: string) => client.companies.unmerge(id, { mergedId: company.id }), {
    invalidates,
    notifyFailure: false,
    done: messages.undone(company.name),
  })
  const change = useChange((id: string) => client.companies.merge(id, { otherIds: [company.id] }), {
    invalidates,
    notifyFailure: false,
    onDone({ company: merged }) {
      const undoMerge = () => undo.mutate(merged.id, { onError: (failure) => notifyError(formErrors(failure).error) })
      notifyUndoable(messages.done(company.name, merged.name), undoMerge)
      void navigate({ to: '/$organization/companies/$companyId', params: { organization: organization.slug, companyId: merged.id } })
      onClose()
    },
  })
  const submit = (): void => {
    if (into === null) return setError(new ShownError(messages.choose))
    change.mutate(into, { onError: (failure) => setError(formErrors(failure).error) })
  }
  return (
    <FormDialog
      title={messages.title(company.name)}
      onClose={onClose}
      onSubmit={submit}
      action={messages.submit}
      busy={change.isPending}
      error={error}
      fields={[]}
    >
      <Text size="sm">{messages.help}</Text>
      <CompanyPicker label={messages.into} value={into} onChange={setInto} except={company.id} />
    </FormDialog>
  )
}
