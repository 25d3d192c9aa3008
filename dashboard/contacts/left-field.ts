import type { Contact } from '@groundwork/api'
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { contactName } from '../lib/contact.ts'
import { useWorkspace } from '../lib/workspace.ts'
import { useMessages } from '../messages/messages.ts'
import { notifyError } from '../shell/notify.tsx'
import { contactMessages } from './messages.ts'

/**
 * Returns a handler for failures of a field’s save. If the page was left meanwhile, nobody sees the error at the field: a notification
 * then names the record and the field, and leads back.
 */
export function useFailureAfterLeaving(contact: Contact, label: string): (error: Error) => void {
  const { notSaved } = useMessages(contactMessages)
  const { organization } = useWorkspace()
  const navigate = useNavigate()
  const isShown = useRef(false)
  useEffect(() => {
    isShown.current = true
    return () => {
      isShown.current = false
    }
  }, [])
  return (error) => {
    if (isShown.current) return
    const name = contactName(contact)
    const open = (): void =>
      void navigate({ to: '/$organization/contacts/$contactId', params: { organization: organization.slug, contactId: contact.id } })
    notifyError(error, notSaved.title(label, name), { label: notSaved.open(name), run: open })
  }
}
