import type { Proposal } from '@groundwork/api'
import { entryKey } from '../lib/entry-key.ts'

type Role = Proposal['recipients'][number]['role']

/** A recipient after the contact, with a stable key, so that its inputs keep their state when another one is removed. */
export interface DraftRecipient {
  key: string
  role: Role
  /** Whether the recipient is a contact, or a name with an address. */
  kind: 'person' | 'contact'
  contactId: string
  name: string
  email: string
  language: string | null
}

/** The signers and copies of a form. */
export interface DraftSigning {
  recipients: DraftRecipient[]
  signingOrder: Proposal['signingOrder']
  counterSignature: boolean
}

export const emptyRecipient = (): DraftRecipient => ({
  key: entryKey(),
  role: 'signer',
  kind: 'person',
  contactId: '',
  name: '',
  email: '',
  language: null,
})

export const emptySigning = (): DraftSigning => ({ recipients: [], signingOrder: 'parallel', counterSignature: false })

export const signingOf = ({ recipients, signingOrder, counterSignature }: Proposal): DraftSigning => ({
  recipients: recipients.slice(1).map(({ role, contactId, name, email, language }) => ({
    ...emptyRecipient(),
    role,
    kind: contactId === null ? 'person' : 'contact',
    contactId: contactId ?? '',
    name: name ?? '',
    email: email ?? '',
    language,
  })),
  signingOrder,
  counterSignature,
})

/** Converts the form values to fields of the request body. */
export const signingBody = ({ recipients, signingOrder, counterSignature }: DraftSigning) => ({
  recipients: recipients.map(({ role, kind, contactId, name, email, language }) => ({
    role,
    ...(kind === 'contact' ? { contactId } : { name, email: email.trim() }),
    ...(language !== null && { language }),
  })),
  signingOrder,
  counterSignature,
})

/** API paths whose errors appear at an input. */
export const recipientFields = (recipients: readonly DraftRecipient[]): string[] =>
  recipients.flatMap((_recipient, index) => ['contactId', 'name', 'email'].map((field) => `recipients.${index}.${field}`))
