import type { Contact, ShortContact } from '@groundwork/api'

export const shortened = ({ id, firstName, lastName, email, phone, tags }: Contact): ShortContact => ({
  contactId: id,
  firstName,
  lastName,
  email,
  phone,
  tags,
})

/** Returns a contact as one line of text for a model. */
export const lineOf = ({ contactId, firstName, lastName, email, phone, tags }: ShortContact): string =>
  [contactId, [firstName, lastName].filter((name) => name !== null).join(' '), email ?? '', phone ?? '', tags.join(' ')]
    .filter((part) => part !== '')
    .join(', ')
